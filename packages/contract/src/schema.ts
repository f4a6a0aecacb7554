import * as z from 'zod/mini';

/** A schema as JSON Schema 2020-12, for documents and fuzzing. What has no such form (unknown) is {}. */
export function jsonSchema(schema: z.ZodMiniType): object {
  return z.toJSONSchema(schema, { unrepresentable: 'any' });
}
