# Every check that a change must pass.
check:
    .ci/run

test:
    cargo test

# A corpus in parts, as real processes; needs Open MPI.
test-mpi:
    .ci/test-mpi

# Figures of topoi alone: the streamed pass, what the machine gives; TOPOI_NIPS=DIRECTORY adds the NIPS run.
bench:
    cargo bench

# Tables beside the peers, which are installed in target/peers-venv: `just peers DIRECTORY quality --quick`.
peers corpora *arguments:
    python3 benches/peers/run.py {{arguments}} --corpora {{corpora}}

demo:
    cargo run --release -- demo
