import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CallDetail } from '@/lib/console/schema';
import { CodeBlock } from '../../ui/display/code-block';

type Wire = NonNullable<CallDetail['wire']>;

const frame = '22rem';

/** The HTTP exchange between Parley and the agent, collapsed by default. */
export function CallWire({ wire: { request, answer }, open = false }: { wire: Wire; open?: boolean }): ReactNode {
  const t = useTranslations('console.callWire');
  return (
    <details className="mt-2" open={open}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-link">{t('title')}</summary>
      <div className="mt-2 grid gap-4 xl:grid-cols-2">
        <CodeBlock code={textOf(`${request.method} ${request.url}`, request)} label={t('sent')} maxHeight={frame} />
        {answer ? (
          <CodeBlock code={textOf(`HTTP ${answer.status}`, answer)} label={t('answer')} maxHeight={frame} />
        ) : (
          <p className="self-start text-muted">{t('noAnswer')}</p>
        )}
      </div>
    </details>
  );
}

function textOf(first: string, { headers, body }: { headers: Record<string, string>; body: string }): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [first, ...fields, '', indented(body)].join('\n').trimEnd();
}

/** Complete JSON is indented for readability. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
