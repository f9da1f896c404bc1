# The API server and, with another entrypoint (see docker-compose.yml), the indexer. The image has no engines.
# The same Node as in package.json. DuckDB's library needs glibc, so no Alpine.
ARG NODE_IMAGE=node:26.10.0-slim
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY indexer/sources/parquet/duckdb ./duckdb/
# The image needs neither the 130 MB Meilisearch of a clone nor the compiler that npm keeps. It does need DuckDB's library, which a clone
# downloads with the first Parquet file.
RUN npm ci --omit=dev --ignore-scripts && npm ci --prefix duckdb --ignore-scripts \
  && rm -rf node_modules/@gaubee node_modules/typescript node_modules/@typescript \
  && mv duckdb/node_modules/@duckdb duckdb/node_modules/detect-libc node_modules/ && npm cache clean --force

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/hereabouts
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# Only what .dockerignore allows. It belongs to root, so the program cannot change itself.
COPY . .
# New volumes inherit the owner of these folders: the engine key's, and that of the indexer's temporary files.
RUN install -d -o node -g node -m 0750 /run/hereabouts /var/lib/hereabouts
# Compiled code of the server: without it, every start strips the types itself, with a library that takes 20 MB from then on. It counts only
# for the flags and the user that it was made with. The program can read it, not change it.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/hereabouts
RUN install -d -o node -g node "$NODE_COMPILE_CACHE"
USER node
RUN ["node", "--max-old-space-size=512", "--max-semi-space-size=8", "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", "await import('/app/src/main.ts'); await import('/app/src/server/serve.ts')"]
USER root
# Node makes the files for their owner alone.
RUN chown -R root:node "$NODE_COMPILE_CACHE" && chmod -R u=rwX,g=rX,o= "$NODE_COMPILE_CACHE"
EXPOSE 8080
USER node
# Checks the process only: restarting it would not fix the engine. The slim image has no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=8", "--disable-warning=ExperimentalWarning", "src/main.ts"]
