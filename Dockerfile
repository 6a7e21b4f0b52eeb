# Build: the toolchain's own image, the same script that CI runs.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY . .
RUN install -D "$(scripts/build-release | tail -n 1)" /out/livedelta && strip /out/livedelta

# Run: Debian and the four libraries that the binary needs.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libcurl4 libsimdjson14 libsqlite3-0 zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --home-dir /var/lib/livedelta --create-home livedelta
COPY --from=build /out/livedelta /usr/local/bin/livedelta
USER livedelta
VOLUME /var/lib/livedelta
EXPOSE 8080
# It does not start without keys: LIVEDELTA_AUTH_KEYS_FILE, LIVEDELTA_AUTH_KEYS or LIVEDELTA_AUTH_JWKS. See docs/auth.md.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["livedelta", "check"]
ENTRYPOINT ["livedelta"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--ops", "127.0.0.1:8081", "--data", "/var/lib/livedelta"]
