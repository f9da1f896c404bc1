import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../../logger.ts";

/** `ExportResultCode.SUCCESS` of the SDK's core, which is no dependency of ours. */
const SUCCESS = 0;

/** The exporter, which logs once when its collector goes away and once when it is back. Nobody else hears of it. */
export function reportOutages(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS;
        if (failed && !isFailing) logger.warn({ err: result.error }, "trace_export_failing");
        if (!failed && isFailing) logger.info("trace_export_recovered");
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
