import type { JsonSchema } from '@/lib/docs/schema';

/** A starting value from a JSON Schema: required members only, empty where anything is allowed. */
export function exampleOf(schema: JsonSchema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as JsonSchema);
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return 0;
  if (schema.type !== 'object') return '';
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(
    members.filter(([name]) => required.includes(name)).map(([name, member]) => [name, exampleOf(member)]),
  );
}
