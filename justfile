# Every check that a change must pass.
check:
    .ci/run

test:
    cargo test

# Side-by-side figures of the streamed pass; TOPICA_NIPS=DIRECTORY adds the NIPS run.
bench:
    cargo bench

demo:
    cargo run --release -- demo
