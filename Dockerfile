# The API server; with another entrypoint (see docker-compose.yml) the indexer. Engines are given by URL, none is in the image.
# The Node of package.json. DuckDB's library needs glibc, so no Alpine.
ARG NODE_IMAGE=node:26.10.0-slim
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package but Node itself has an install script of use, and Node is here. The Meilisearch of 130 MB that a clone brings is not needed
# here; DuckDB's library, optional as well, is.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@gaubee && npm cache clean --force
# What draws /docs. Without it, for want of a network, the image has a plain page there.
COPY script/docs-renderer ./script/docs-renderer
RUN script/docs-renderer || mkdir -p .docs-renderer

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/hereabouts
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=dependencies /app/.docs-renderer ./.docs-renderer
# What .dockerignore lets through, and nothing else. It belongs to root: the program cannot change itself.
COPY . .
# New volumes take their owner from these: the engine key for the servers, and room for the indexer to work in.
RUN install -d -o node -g node -m 0750 /run/hereabouts /var/lib/hereabouts
EXPOSE 8080
USER node
# Whether the process lives, not whether its engine does: restarting the one does not mend the other. The slim image has no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=4", "--disable-warning=ExperimentalWarning", "src/main.ts"]
