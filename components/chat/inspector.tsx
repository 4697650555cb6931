'use client';

import { type ReactNode, useState } from 'react';
import useSWR from 'swr';
import type { WireExchange } from '../../lib/gateway/schema';
import { callLines } from '../market/curl-lines';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { readWire } from './api';
import { newUuid } from './new-uuid';
import { formatBytes } from './parts/format-bytes';
import { numbered } from './parts/numbered';
import { saveFile } from './parts/save-file';
import { adviceOnFailure } from './turn-notice';

export interface InspectorProps {
  conversationId: string;
  taskId: string;
  agent: { slug: string; name: string };
  /** What the person said, for the command that says it again. */
  text: string;
  onClose: () => void;
}

/** What went between Parley and an agent for one task: each request, its answer and the events of its stream. */
export function Inspector({ conversationId, taskId, agent, text, onClose }: InspectorProps): ReactNode {
  const { data, error, mutate } = useSWR(`wire ${taskId}`, () => readWire(conversationId, taskId));
  const [messageIds] = useState<[string, string]>(() => [newUuid(), newUuid()]);
  const { handshake, stream } = callLines({
    url: `${window.location.origin}/agents/${encodeURIComponent(agent.slug)}`,
    slug: agent.slug,
    text,
    messageIds,
  });
  const whole = JSON.stringify(data?.exchanges ?? [], null, 2);
  return (
    <Dialog
      description={
        <>
          Between Parley and <bdi>{agent.name}</bdi>. Secrets were masked before this was kept; it is kept for 30 days.
        </>
      }
      footer={
        <>
          <CopyButton named text={`${handshake}\n${stream}`} tone="secondary" what="as curl" />
          <CopyButton named text={whole} tone="secondary" what="everything" />
          <Button
            onClick={() => saveFile({ name: `wire-${taskId}.json`, bytes: new TextEncoder().encode(whole) })}
            size="sm"
          >
            Save
          </Button>
        </>
      }
      onOpenChange={onClose}
      open
      shape="sheet-end"
      title="What went over the wire"
    >
      <div className="space-y-5 pt-1">
        {error ? <Alert tone="danger">It could not be loaded.</Alert> : null}
        {data?.open ? (
          <p className="flex items-center justify-between gap-3 text-sm text-muted" role="status">
            The agent is still answering; an exchange is kept at its end.
            <Button onClick={() => void mutate()} size="sm">
              Look again
            </Button>
          </p>
        ) : null}
        {data && data.exchanges.length === 0 && !data.open ? (
          <p className="text-sm text-muted">
            Nothing is kept of this task. It is older than 30 days, or no call was made.
          </p>
        ) : null}
        {data?.exchanges.map((exchange) => (
          <Exchange exchange={exchange} key={`${exchange.at} ${exchange.method}`} />
        ))}
        <CodeBlock code={`${handshake}\n${stream}`} label="as curl" maxHeight="14rem" />
        <p className="text-xs text-muted">
          Run it in a shell with an access token of yours in PARLEY_TOKEN. It sends the text again as a new message,
          through Parley; files are not in it.
        </p>
      </div>
    </Dialog>
  );
}

function Exchange({ exchange }: { exchange: WireExchange }): ReactNode {
  const { method, dialect, at, ms, requestId, request, answer, failure } = exchange;
  return (
    <section aria-label={`${method}, ${at}`} className="space-y-2">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-sm font-semibold">
        <span className="font-mono">{method}</span>
        <span className="text-xs font-normal text-muted">
          {answer ? `HTTP ${answer.status}` : 'no answer'} in {ms} ms, A2A {dialect}
        </span>
      </h3>
      <p className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
        {at} · request {requestId}
      </p>
      {failure ? (
        <Alert title={failure.code} tone="danger">
          <p>{failure.message}</p>
          <p>{adviceOnFailure(failure.code)}</p>
        </Alert>
      ) : null}
      <CodeBlock
        code={halfText(`${request.method} ${request.url}`, request.headers, pretty(request.body))}
        label={`request, ${formatBytes(request.bytes)}`}
        maxHeight="16rem"
      />
      {answer ? (
        <>
          <CodeBlock
            code={halfText(`HTTP ${answer.status}`, answer.headers, '')}
            label={`answer, ${formatBytes(answer.bytes)}`}
            maxHeight="10rem"
          />
          <ol aria-label="Events" className="space-y-2">
            {numbered(answer.events).map(({ item: { ms: after, bytes, text }, at: place }) => (
              <li key={place}>
                <CodeBlock
                  code={text}
                  label={`${place + 1}: after ${after} ms, ${formatBytes(bytes)}`}
                  maxHeight="12rem"
                />
              </li>
            ))}
          </ol>
          {answer.moreEvents > 0 ? (
            <p className="text-xs text-muted">{answer.moreEvents} more events are not shown.</p>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

function halfText(first: string, headers: Record<string, string>, body: string): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [first, ...fields, ...(body ? ['', body] : [])].join('\n');
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
