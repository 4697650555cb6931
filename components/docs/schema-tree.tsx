import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { JsonSchema } from '@/lib/docs/schema';

const deepest = 4;

type Translator = ReturnType<typeof useTranslations<'docs.schemaTree'>>;

/** The members of a JSON object with their types, or those of each variant or of the named schema. */
export function SchemaTree({ schema, depth = 0 }: { schema: JsonSchema; depth?: number }): ReactNode {
  const t = useTranslations('docs.schemaTree');
  const kinds = kindsOf(schema).filter(({ properties, $ref }) => properties !== undefined || $ref !== undefined);
  if (kinds.length === 0) return <p className="text-muted">{t('object')}</p>;
  return kinds.map((kind, at) => (
    <div key={String(kind.$ref ?? Object.keys(kind.properties ?? {}))}>
      {at > 0 ? <p className="py-1 text-muted">{t('or')}</p> : null}
      {kind.properties === undefined ? <Words schema={kind} /> : <Members depth={depth} schema={kind} />}
    </div>
  ));
}

function Members({ schema, depth }: { schema: JsonSchema; depth: number }): ReactNode {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as string[];
  return (
    <ul className={depth > 0 ? 'ms-4 border-s border-line ps-3' : ''}>
      {members.map(([name, member]) => {
        const inner = (member.items ?? member) as JsonSchema;
        return (
          <li className="py-0.5" key={name}>
            <code className="font-mono break-words">{name}</code>{' '}
            <span className="text-muted">
              <Words optional={!required.includes(name)} schema={member} />
            </span>
            {typeof member.description === 'string' ? <span className="block">{member.description}</span> : null}
            {depth < deepest && kindsOf(inner).some(({ properties }) => properties !== undefined) ? (
              <SchemaTree depth={depth + 1} schema={inner} />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** The types of a value, linked to their named schemas. */
function Words({ schema, optional = false }: { schema: JsonSchema; optional?: boolean }): ReactNode {
  const t = useTranslations('docs.schemaTree');
  const type = wordsFor(schema, t);
  const words = optional ? t('optional', { type }) : type;
  const [shape] = shapesIn(schema);
  if (!shape) return words;
  return (
    <a className="text-link" href={`#${shapeAnchor(shape)}`}>
      {words}
    </a>
  );
}

/** Returns the variants of a value. */
function kindsOf(schema: JsonSchema): JsonSchema[] {
  return (schema.anyOf ?? [schema]) as JsonSchema[];
}

/** Returns the names of the schemas that a value, or each of its items, may have. */
function shapesIn({ $ref, anyOf = [], items }: JsonSchema): string[] {
  if (typeof $ref === 'string') return [nameIn($ref)];
  return [...(anyOf as JsonSchema[]), ...(items ? [items as JsonSchema] : [])].flatMap(shapesIn);
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Returns the anchor of a named schema. */
export function shapeAnchor(name: string): string {
  return `shape-${name}`;
}

/** Returns a schema in a few words. */
function wordsFor(schema: JsonSchema, t: Translator): string {
  const { type, enum: values, const: only, anyOf, items, $ref } = schema;
  if (typeof $ref === 'string') return nameIn($ref);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(anyOf)) {
    return eitherOf(
      anyOf.map((one) => wordsFor(one as JsonSchema, t)),
      t,
    );
  }
  if (type === 'array') return t('listOf', { type: wordsFor((items ?? {}) as JsonSchema, t) });
  const types = Array.isArray(type) ? type.map(String) : [String(type ?? t('anything'))];
  return limitsOf(schema, t).reduce((phrase, limit) => t('limited', { type: phrase, limit }), eitherOf(types, t));
}

function eitherOf(kinds: string[], t: Translator): string {
  return [...new Set(kinds)].reduce((first, second) => t('either', { first, second }));
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
