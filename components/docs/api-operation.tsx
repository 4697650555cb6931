import type { ReactNode } from 'react';
import type { JsonSchema, Operation } from '@/lib/docs/schema';
import { Ticked } from './error-list';
import { SchemaTree } from './schema-tree';
import { TryIt } from './try-it';

export interface ApiOperationProps {
  method: string;
  path: string;
  operation: Operation;
}

/** One endpoint: who may call it, what goes in, what comes back, and a form to try it. */
export function ApiOperation({ method, path, operation }: ApiOperationProps): ReactNode {
  const { description, parameters = [], requestBody, responses, security } = operation;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const streams = Object.values(responses).some(({ content }) => content && 'text/event-stream' in content);
  return (
    <div className="space-y-5 border-t border-line px-4 py-5 text-sm">
      {description ? (
        <p className="max-w-prose">
          <Ticked text={description} />
        </p>
      ) : null}
      <p className="text-muted">{whoMayCall(security)}</p>
      {parameters.length > 0 ? (
        <Block title="Parameters">
          <ul className="space-y-1">
            {parameters.map(({ name, in: place, required, schema }) => (
              <li key={name}>
                <code className="font-mono">{name}</code>{' '}
                <span className="text-muted">
                  {place}, {typeOf(schema)}
                  {required ? '' : ', optional'}
                </span>
              </li>
            ))}
          </ul>
        </Block>
      ) : null}
      {body && bodyType ? (
        <Block title={`Body, ${bodyType}`}>
          <SchemaTree schema={body.schema} />
        </Block>
      ) : null}
      {Object.entries(responses).map(([status, { description: said, content }]) => (
        <Block key={status} title={`${status} ${Number(status) < 400 ? '' : 'problem'}`}>
          {Number(status) < 400 ? (
            <Answer content={content} />
          ) : (
            <p className="text-muted">
              <Ticked text={said} />
            </p>
          )}
        </Block>
      ))}
      {streams ? null : (
        <TryIt body={body?.schema} bodyType={bodyType} method={method} parameters={parameters} path={path} />
      )}
    </div>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </div>
  );
}

function Answer({ content }: { content: Operation['responses'][string]['content'] }): ReactNode {
  const [media, answer] = Object.entries(content ?? {})[0] ?? [];
  if (!media || !answer) return <p className="text-muted">No body.</p>;
  if (media !== 'application/json') return <p className="text-muted">{media}</p>;
  return answer.schema.properties ? (
    <SchemaTree schema={answer.schema} />
  ) : (
    <p className="text-muted">A JSON object.</p>
  );
}

function whoMayCall(security: Operation['security']): string {
  if (security.length === 0) return 'Open to everybody.';
  const ways = security.map((way) => {
    if ('session' in way) return 'a signed-in session';
    if ('app' in way) return 'client id and secret of an app (Basic)';
    if (!('accessToken' in way)) return 'nothing, for clients that hold no secret';
    const scopes = way.accessToken ?? [];
    return scopes.length > 0 ? `an access token with ${scopes.join(' ')}` : 'an access token';
  });
  return `Needs ${ways.join(', or ')}.`;
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  return schema.type === 'array' ? 'may be repeated' : String(schema.type ?? 'text');
}
