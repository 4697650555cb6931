'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { JsonSchema, Parameter } from '@/lib/docs/schema';
import { Field } from '../forms/field';
import { controlClass, Input } from '../forms/inputs';
import { Button } from '../ui/controls/button';
import { CodeBlock } from '../ui/display/code-block';
import { useFormat } from '../ui/display/format';

export interface TryFormProps {
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  bodyType: string | undefined;
}

type Translator = ReturnType<typeof useTranslations<'docs.tryForm'>>;

interface Outcome {
  status: string;
  ms: number;
  text: string;
}

/** Sends a request from this page, with the user's session or a pasted token, and displays the response. */
export function TryForm({ method, path, parameters, body, bodyType }: TryFormProps): ReactNode {
  const t = useTranslations('docs.tryForm');
  const format = useFormat();
  const id = useId();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [trial, setTrial] = useState<PlaygroundRequest | null>(null);
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const next = toPlaygroundRequest(new FormData(event.currentTarget), { method, path, parameters, bodyType });
    setTrial(next);
    setPending(true);
    setOutcome(await send(next, t));
    setPending(false);
  }

  return (
    <form className="space-y-4 rounded-lg border border-line bg-canvas p-4" onSubmit={(event) => void submit(event)}>
      {parameters.map(({ name, required }) => (
        <Field id={`${id}-${name}`} key={name} label={name} required={required}>
          {(control) => <Input {...control} className="font-mono" name={`parameter-${name}`} />}
        </Field>
      ))}
      {body ? (
        <Field id={`${id}-body`} label={t('body')} required>
          {(control) => (
            <textarea
              {...control}
              className={`${controlClass} min-h-28 py-2 font-mono text-xs`}
              defaultValue={bodyType === 'application/json' ? JSON.stringify(exampleOf(body), null, 2) : ''}
              name="body"
              spellCheck={false}
            />
          )}
        </Field>
      ) : null}
      <Field hint={t('tokenHint')} id={`${id}-token`} label={t('token')}>
        {(control) => <Input {...control} autoComplete="off" className="font-mono" name="token" type="password" />}
      </Field>
      <Button pending={pending} tone={method === 'GET' ? 'primary' : 'danger'} type="submit">
        {method === 'GET' ? t('send') : t('sendChange', { method })}
      </Button>
      <div aria-live="polite" className="space-y-4">
        {outcome ? (
          <CodeBlock
            code={outcome.text || t('noBody')}
            label={t('outcome', { status: outcome.status, duration: format.duration(outcome.ms) })}
            maxHeight="24rem"
          />
        ) : null}
        {trial ? <CodeBlock code={curlCommand(trial, window.location.origin)} label="curl" /> : null}
      </div>
    </form>
  );
}

async function send({ method, url, headers, body }: PlaygroundRequest, t: Translator): Promise<Outcome> {
  const began = performance.now();
  try {
    const answer = await fetch(url, { method, headers, body });
    const text = await answer.text();
    const ms = Math.round(performance.now() - began);
    return { status: `${answer.status} ${answer.statusText}`.trim(), ms, text: indent(text) };
  } catch {
    return { status: t('noAnswer'), ms: Math.round(performance.now() - began), text: t('unreachable') };
  }
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns an initial value for a JSON Schema: only required members, empty if any value is permitted. */
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

/** A request to be sent. */
export interface PlaygroundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Returns the request from an endpoint's form. */
export function toPlaygroundRequest(
  form: FormData,
  { method, path, parameters, bodyType }: { method: string; path: string; parameters: Parameter[]; bodyType?: string },
): PlaygroundRequest {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: location } of parameters) {
    const value = text(`parameter-${name}`);
    if (location === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) query.set(name, value);
  }
  const token = text('token');
  const body = form.has('body') ? text('body') : undefined;
  return {
    method,
    url: query.size > 0 ? `${filled}?${query}` : filled,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && bodyType && { 'content-type': bodyType }),
    },
    body,
  };
}

/** Returns the request as a curl command, in which the token is a shell variable. */
export function curlCommand({ method, url, headers, body }: PlaygroundRequest, origin: string): string {
  const type = headers['content-type'];
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + url)}`,
    '  -H "Authorization: Bearer $PARLEY_TOKEN"',
    ...(type ? [`  -H ${quote(`Content-Type: ${type}`)}`] : []),
    ...(body === undefined ? [] : [`  -d ${quote(body)}`]),
  ];
  return lines.join(' \\\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
