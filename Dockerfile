# The image of esign: the package and what it needs, on Node. It runs as an ordinary user and writes to /var/lib/esign and /tmp only, so that
# its root file system can be read-only:
#   docker run --read-only --tmpfs /tmp -v esign:/var/lib/esign -p 127.0.0.1:8080:8080 ghcr.io/esign-cli/esign
# docs/install.md describes how it is used, and docs/self-hosting.md a team server. `docker build .` in a clone makes it.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund
RUN mkdir /out && npm pack --silent --ignore-scripts --pack-destination /tmp && tar -xzf /tmp/esign-cli-esign-*.tgz -C /out
# A container has no keyring; what remains is the same for every processor.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -r node_modules/@napi-rs && mv node_modules /out/package/

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.source="https://github.com/esign-cli/esign" org.opencontainers.image.licenses="MIT"
COPY --from=build /out/package /opt/esign
RUN ln -s /opt/esign/bin/esign.js /usr/local/bin/esign && install --directory --mode=700 --owner=1000 --group=1000 /var/lib/esign
ENV ESIGN_HOME=/var/lib/esign
USER 1000:1000
WORKDIR /var/lib/esign
VOLUME /var/lib/esign
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["esign"]
CMD ["sandbox", "serve", "--host", "0.0.0.0", "--port", "8080", "--origin", "http://localhost:8080"]
