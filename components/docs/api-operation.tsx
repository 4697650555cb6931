import { useTranslations } from 'next-intl';
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

type Translator = ReturnType<typeof useTranslations<'docs.apiOperation'>>;

/** One endpoint: authorization, request, responses, and a form to try it. */
export function ApiOperation({ method, path, operation }: ApiOperationProps): ReactNode {
  const t = useTranslations('docs.apiOperation');
  const { description, parameters = [], requestBody, responses, security } = operation;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(responses);
  const good = answers.filter(([status]) => Number(status) < 400);
  const problems = answers.filter(([status]) => Number(status) >= 400);
  const streams = Object.values(responses).some(({ content }) => content && 'text/event-stream' in content);
  return (
    <div className="space-y-5 border-t border-line px-4 py-5 text-sm">
      {description ? (
        <p className="max-w-prose">
          <Ticked text={description} />
        </p>
      ) : null}
      <p className="text-muted">{whoMayCall(security, t)}</p>
      {parameters.length > 0 ? (
        <Block title={t('parameters')}>
          <ul className="space-y-1">
            {parameters.map(({ name, in: location, required, schema }) => (
              <li key={name}>
                <code className="font-mono">{name}</code>{' '}
                <span className="text-muted">
                  {t(required ? 'parameter' : 'optionalParameter', { place: location, type: typeOf(schema, t) })}
                </span>
              </li>
            ))}
          </ul>
        </Block>
      ) : null}
      {body && bodyType ? (
        <Block title={t('body', { type: bodyType })}>
          <SchemaTree schema={body.schema} />
        </Block>
      ) : null}
      {good.map(([status, { content }]) => (
        <Block key={status} title={status}>
          <Answer content={content} />
        </Block>
      ))}
      {problems.length > 0 ? (
        <Block title={t('problems')}>
          <ul className="space-y-1 text-muted">
            {problems.map(([status, { description: codes }]) => (
              <li key={status}>
                <Ticked text={`${status} ${codes}`} />
              </li>
            ))}
          </ul>
        </Block>
      ) : null}
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
  const t = useTranslations('docs.apiOperation');
  const [media, answer] = Object.entries(content ?? {})[0] ?? [];
  if (!media || !answer) return <p className="text-muted">{t('noBody')}</p>;
  if (media !== 'application/json') return <p className="text-muted">{media}</p>;
  return <SchemaTree schema={answer.schema} />;
}

function whoMayCall(security: Operation['security'], t: Translator): string {
  if (security.length === 0) return t('everybody');
  const ways = security.map((way) => {
    if ('session' in way) return t('session');
    if ('app' in way) return t('app');
    if (!('accessToken' in way)) return t('nothing');
    const scopes = way.accessToken ?? [];
    return scopes.length > 0 ? t('tokenWith', { scopes: scopes.join(' ') }) : t('token');
  });
  return t('needs', { ways: ways.reduce((first, second) => t('either', { first, second })) });
}

function typeOf(schema: JsonSchema, t: Translator): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  return schema.type === 'array' ? t('repeated') : String(schema.type ?? t('text'));
}
