import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { JsonSchema } from '@/lib/docs/schema';

const deepest = 4;

type Translator = ReturnType<typeof useTranslations<'docs.schemaTree'>>;

/** The members of a JSON object, with what each takes. */
export function SchemaTree({ schema, depth = 0 }: { schema: JsonSchema; depth?: number }): ReactNode {
  const t = useTranslations('docs.schemaTree');
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  if (members.length === 0) return <p className="text-muted">{t('object')}</p>;
  return (
    <ul className={depth > 0 ? 'ms-4 border-s border-line ps-3' : ''}>
      {members.map(([name, member]) => {
        const inner = objectIn(member);
        return (
          <li className="py-0.5" key={name}>
            <code className="font-mono break-words">{name}</code>{' '}
            <span className="text-muted">
              {required.includes(name) ? wordsFor(member, t) : t('optional', { type: wordsFor(member, t) })}
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
function wordsFor(schema: JsonSchema, t: Translator): string {
  const { type, enum: values, const: only, anyOf, items } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(anyOf)) {
    const kinds = new Set(anyOf.map((one) => wordsFor(one as JsonSchema, t)));
    return [...kinds].reduce((first, second) => t('either', { first, second }));
  }
  if (type === 'array') return t('listOf', { type: wordsFor((items ?? {}) as JsonSchema, t) });
  return limitsOf(schema, t).reduce(
    (said, limit) => t('limited', { type: said, limit }),
    String(type ?? t('anything')),
  );
}

function limitsOf({ maxLength, minLength, minimum, maximum }: JsonSchema, t: Translator): string[] {
  return [
    minLength !== undefined || maxLength !== undefined
      ? t('length', { shortest: String(minLength ?? 0), longest: String(maxLength ?? '…') })
      : '',
    typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? t('from', { minimum: String(minimum) }) : '',
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? t('to', { maximum: String(maximum) }) : '',
  ].filter(Boolean);
}
