# The image has what the binary needs and nothing else: no shell, no package manager. docs/deploying.md has the rest.
# Build: the toolchain's own image, the same script that CI runs.
ARG BUILD_IMAGE=swift:6.3-bookworm
FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
RUN deploy/image/root /image

FROM scratch
COPY --from=build /image/root/ /
COPY --from=build --chown=10001:10001 /image/data/ /var/lib/livedelta/
USER 10001:10001
ENV HOME=/var/lib/livedelta
WORKDIR /var/lib/livedelta
VOLUME /var/lib/livedelta
EXPOSE 8080
# It does not start without keys: LIVEDELTA_AUTH_KEYS_FILE, LIVEDELTA_AUTH_KEYS or LIVEDELTA_AUTH_JWKS. See docs/auth.md.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/usr/local/bin/livedelta", "check"]
ENTRYPOINT ["/usr/local/bin/livedelta"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--ops", "127.0.0.1:8081", "--data", "/var/lib/livedelta"]
