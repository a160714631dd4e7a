# topoi in a container, as a user without rights. A store is a file in /data:
#
#     docker build -t topoi .
#     docker run --rm -it -v "$PWD:/data" --user "$(id -u):$(id -g)" topoi
#
# `docker stop` ends runs as interrupted within seconds; `topoi resume` takes them up again.
FROM rust:1.95-slim-trixie AS build
WORKDIR /topoi
COPY . .
RUN cargo build --locked --profile dist --bin topoi

FROM debian:trixie-slim
# pdftotext reads PDF.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends poppler-utils \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 topoi \
    && install -d -o topoi -g topoi /data
COPY --from=build /topoi/target/dist/topoi /usr/local/bin/topoi
COPY --from=build /topoi/LICENSE-MIT /topoi/LICENSE-APACHE /usr/share/doc/topoi/
USER 1000:1000
WORKDIR /data
ENV TOPOI_STORE=/data/topoi.db
VOLUME ["/data"]
ENTRYPOINT ["topoi"]
