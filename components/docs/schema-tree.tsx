import type { ReactNode } from 'react';
import type { JsonSchema } from '@/lib/docs/schema';

const deepest = 4;

/** The members of a JSON object, with what each takes. */
export function SchemaTree({ schema, depth = 0 }: { schema: JsonSchema; depth?: number }): ReactNode {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  if (members.length === 0) return <p className="text-muted">A JSON object.</p>;
  return (
    <ul className={depth > 0 ? 'ms-4 border-s border-line ps-3' : ''}>
      {members.map(([name, member]) => {
        const inner = objectIn(member);
        return (
          <li className="py-0.5" key={name}>
            <code className="font-mono break-words">{name}</code>{' '}
            <span className="text-muted">
              {wordsFor(member)}
              {required.includes(name) ? '' : ', optional'}
            </span>
            {inner && depth < deepest ? <SchemaTree depth={depth + 1} schema={inner} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

function objectIn(schema: JsonSchema): JsonSchema | null {
  const inside = (schema.items ?? schema) as JsonSchema;
  return inside.properties ? inside : null;
}

/** A schema in a few words. */
function wordsFor(schema: JsonSchema): string {
  const { type, enum: values, const: only, anyOf, items, maxLength, minLength, minimum, maximum } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => wordsFor(one as JsonSchema)))].join(' or ');
  if (type === 'array') return `list of ${wordsFor((items ?? {}) as JsonSchema)}`;
  const range = [
    minLength !== undefined || maxLength !== undefined ? `${minLength ?? 0} to ${maxLength ?? '…'} characters` : '',
    typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? `from ${minimum}` : '',
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? `to ${maximum}` : '',
  ].filter(Boolean);
  return [String(type ?? 'anything'), ...range].join(', ');
}
