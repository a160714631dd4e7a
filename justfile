# Every check that a change must pass.
check:
    .ci/run

# With Parquet and Arrow, and where there is Open MPI a corpus in parts.
test:
    cargo test --features "$(.ci/features)"

# The functions for R, and the examples of their chapter (needs R and packages of it).
test-r:
    .ci/test-r

# Figures of topoi alone: the streamed pass, what the machine gives; TOPOI_NIPS=DIRECTORY adds the NIPS run.
bench:
    cargo bench

# Figures of the papers: `just papers DIRECTORY 2013 fig2 --quick`; without a figure, the list of them.
papers corpora *figures:
    TOPOI_CORPORA={{corpora}} cargo run --release -p topoi-papers -- {{figures}}

# Tables beside the peers, which are installed in target/peers-venv: `just peers DIRECTORY quality --quick`.
peers corpora *arguments:
    python3 benches/peers/run.py {{arguments}} --corpora {{corpora}}

demo:
    cargo run --release -- demo
