import * as v from "valibot";

const about = v.description;
const problems = v.array(
  v.strictObject({
    field: v.pipe(v.string(), about("The field of the record, such as `location.latitude`.")),
    message: v.pipe(v.string(), about("What is wrong with it, in the words of an import; they may change.")),
  }),
);

export const writeResultSchema = v.pipe(
  v.strictObject({
    line: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      about("The number of the record in the request, from 1."),
    ),
    outcome: v.pipe(
      v.picklist(["created", "replaced", "changed", "deleted", "unknown", "conflict", "rejected"]),
      about(
        "What became of the record. `changed`: by a patch. `unknown`: the dataset has no such place to change or delete. `conflict`: the place has another version than `If-Match` names. `rejected`: see `errors`.",
      ),
    ),
    data_id: v.optional(v.pipe(v.string(), about("The place."))),
    version: v.optional(
      v.pipe(
        v.string(),
        about(
          "The version of the place afterwards, which `If-Match` takes in quotation marks; for `conflict` the one it has.",
        ),
      ),
    ),
    errors: v.optional(v.pipe(problems, about("Why the record was rejected."))),
    notes: v.optional(
      v.pipe(problems, about("Fields that could not be used. The place was written without them.")),
    ),
  }),
  about("What became of one record."),
);

export const writeAnswerSchema = v.strictObject({
  write: v.pipe(
    v.strictObject({
      id: v.pipe(v.string(), about("Identifies the write in `/api/maps/writes/{id}`.")),
      state: v.pipe(
        v.picklist(["waiting", "done"]),
        about("`waiting`: accepted and stored. `done`: searches see it."),
      ),
      records: v.pipe(v.number(), v.integer(), v.minValue(1), about("The number of records.")),
      results: v.optional(
        v.pipe(v.array(writeResultSchema), about("One for each record, in their order, once it is done.")),
      ),
    }),
    about("A request that changes places."),
  ),
});

export type WriteAnswer = v.InferOutput<typeof writeAnswerSchema>;
export type WriteResult = v.InferOutput<typeof writeResultSchema>;
