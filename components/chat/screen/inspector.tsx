'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import useSWR from 'swr';
import type { HttpTraceView } from '../../../lib/chat/schema-thread';
import type { HttpExchange } from '../../../lib/tasks/schema';
import { callLines } from '../../market/listing/curl-lines';
import { Button } from '../../ui/controls/button';
import { CopyButton } from '../../ui/controls/copy-button';
import { Alert, QuotedMessage } from '../../ui/display/alert';
import { CodeBlock } from '../../ui/display/code-block';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { withIndex } from '../../ui/display/untrusted-text';
import { Dialog } from '../../ui/overlays/dialog';
import { saveFile } from '../parts/save-button';
import { call, taskUrl } from '../state/api';
import { newUuid } from '../state/message-content';
import { adviceForError } from '../state/turn-status';

export interface InspectorProps {
  conversationId: string;
  taskId: string;
  agent: { slug: string; name: string };
  /** The user's message, for the curl command that repeats it. */
  text: string;
  onClose: () => void;
}

/** The exchange between Parley and an agent for one task: each request, its response and the events of its stream. */
export function Inspector({ conversationId, taskId, agent, text, onClose }: InspectorProps): ReactNode {
  const t = useTranslations('chat.inspector');
  const { data, error, mutate } = useSWR(`http-trace ${taskId}`, () => readHttpTrace(conversationId, taskId));
  const [messageIds] = useState<[string, string]>(() => [newUuid(), newUuid()]);
  const { handshake, stream } = callLines({
    url: `${window.location.origin}/agents/${encodeURIComponent(agent.slug)}`,
    slug: agent.slug,
    text,
    messageIds,
  });
  const json = JSON.stringify(data?.exchanges ?? [], null, 2);
  return (
    <Dialog
      description={t.rich('between', { agent: () => <bdi>{agent.name}</bdi> })}
      footer={
        <>
          <CopyButton named text={`${handshake}\n${stream}`} tone="secondary" what={t('asCurl')} />
          <CopyButton named text={json} tone="secondary" what={t('everything')} />
          <Button
            onClick={() => saveFile({ name: `wire-${taskId}.json`, bytes: new TextEncoder().encode(json) })}
            size="sm"
          >
            {t('save')}
          </Button>
        </>
      }
      onOpenChange={onClose}
      open
      shape="sheet-end"
      title={t('title')}
    >
      <div className="space-y-5 pt-1">
        {error ? <Alert tone="danger">{t('failed')}</Alert> : null}
        {data?.open ? (
          <p className="flex items-center justify-between gap-3 text-sm text-muted" role="status">
            {t('stillOpen')}
            <Button onClick={() => void mutate()} size="sm">
              {t('lookAgain')}
            </Button>
          </p>
        ) : null}
        {data && data.exchanges.length === 0 && !data.open ? (
          <p className="text-sm text-muted">{t('nothing')}</p>
        ) : null}
        {data?.exchanges.map((exchange) => (
          <Exchange exchange={exchange} key={`${exchange.at} ${exchange.method}`} />
        ))}
        <CodeBlock code={`${handshake}\n${stream}`} label={t('asCurl')} maxHeight="14rem" />
        <p className="text-xs text-muted">{t('curlHelp')}</p>
      </div>
    </Dialog>
  );
}

function Exchange({ exchange }: { exchange: HttpExchange }): ReactNode {
  const t = useTranslations('chat.inspector');
  const format = useFormat();
  const tNotice = useTranslations('chat.turnNotice');
  const { method, dialect, at, ms, requestId, request, answer, failure } = exchange;
  const duration = format.duration(ms);
  return (
    <section aria-label={`${method}, ${at}`} className="space-y-2">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-sm font-semibold">
        <span className="font-mono">{method}</span>
        <span className="text-xs font-normal text-muted">
          {answer
            ? t('answered', { status: answer.status, duration, dialect })
            : t('unanswered', { duration, dialect })}
        </span>
      </h3>
      <p className="text-xs text-muted">
        {t.rich('request', {
          time: () => <DateTime at={at} show="exact" />,
          id: () => <span className="font-mono [overflow-wrap:anywhere]">{requestId}</span>,
        })}
      </p>
      {failure ? (
        <Alert title={failure.code} tone="danger">
          <p>
            <QuotedMessage message={failure.message} />
          </p>
          <p>{tNotice(`advice.${adviceForError(failure.code)}`)}</p>
        </Alert>
      ) : null}
      <CodeBlock
        code={httpMessageText(`${request.method} ${request.url}`, request.headers, formatJson(request.body))}
        label={t('requestBody', { size: format.bytes(request.bytes) })}
        maxHeight="16rem"
      />
      {answer ? (
        <>
          <CodeBlock
            code={httpMessageText(`HTTP ${answer.status}`, answer.headers, '')}
            label={t('answerBody', { size: format.bytes(answer.bytes) })}
            maxHeight="10rem"
          />
          <ol aria-label={t('events')} className="space-y-2">
            {withIndex(answer.events).map(({ item: { ms: after, bytes, text }, index }) => (
              <li key={index}>
                <CodeBlock
                  code={text}
                  label={t('event', { place: index + 1, duration: format.duration(after), size: format.bytes(bytes) })}
                  maxHeight="12rem"
                />
              </li>
            ))}
          </ol>
          {answer.moreEvents > 0 ? (
            <p className="text-xs text-muted">{t('moreEvents', { count: answer.moreEvents })}</p>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

function httpMessageText(startLine: string, headers: Record<string, string>, body: string): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [startLine, ...fields, ...(body ? ['', body] : [])].join('\n');
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function readHttpTrace(conversationId: string, taskId: string): Promise<HttpTraceView> {
  return call('GET', `${taskUrl(taskId)}/wire?${new URLSearchParams({ conversation: conversationId })}`);
}
