# The API server; with another entrypoint (see docker-compose.yml) the indexer. Engines are given by URL, none is in the image.
FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The Meilisearch of 130 MB that a clone brings is not needed here; DuckDB's library, optional as well, is.
RUN npm ci --omit=dev && rm -rf node_modules/@gaubee && npm cache clean --force

FROM node:26-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY indexer ./indexer
COPY demo ./demo
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
USER node
# The slim image has no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=4", "--disable-warning=ExperimentalWarning", "src/main.ts"]
