# Lockscope with a redis-server for its demo. Pure JavaScript: the same steps make it for amd64 and arm64.
#
#   docker build -t lockscope .
#   docker run --rm -p 127.0.0.1:4680:4680 lockscope demo
#   docker run --rm -p 127.0.0.1:4680:4680 -e LOCKSCOPE_TOKEN=… lockscope redis://your-redis:6379
#
# Behind a proxy that replaces certificates: put its certificate into docker/ca, as NAME.crt.

FROM node:20-slim AS build
WORKDIR /src
COPY docker/ca package.json package-lock.json ./
RUN (cat ./*.crt > trusted.pem || true) 2>/dev/null && NODE_EXTRA_CA_CERTS=/src/trusted.pem npm ci --no-audit --no-fund
COPY . .
# The SDK of OpenTelemetry, which users of the package install only for --otlp, is a part of the image.
RUN npm run build \
 && node --eval "const p=JSON.parse(fs.readFileSync('package.json'));for(const n in p.peerDependencies){p.dependencies[n]=p.devDependencies[n];delete p.devDependencies[n]}fs.writeFileSync('package.json',JSON.stringify(p))" \
 && npm prune --omit=dev --no-audit --no-fund --offline \
 && find dist node_modules/@opentelemetry -name '*.map' -delete \
 && mkdir -p /app/dist /app/server/demo \
 && mv package.json LICENSE node_modules docker/entrypoint.sh docker/healthy.mjs /app \
 && mv dist/server dist/web /app/dist \
 && mv server/demo/recorded /app/server/demo

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends nodejs redis-server tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin lockscope
COPY --from=build /app /app
USER 10001
EXPOSE 4680
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s CMD ["node", "/app/healthy.mjs"]
ENTRYPOINT ["tini", "--", "/app/entrypoint.sh"]
CMD ["demo"]
