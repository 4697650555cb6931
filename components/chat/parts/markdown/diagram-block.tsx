'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button';
import { CodeBlock } from '../../../ui/display/code-block';
import { isDark } from './is-dark';

/** Minimum and maximum of the height that the frame reports, px. */
const [MIN_HEIGHT, MAX_HEIGHT] = [80, 1_200];

/**
 * A Mermaid diagram: its source, and the drawing on request. Mermaid runs in a sandboxed frame with an opaque origin,
 * which loads only Mermaid and has no access to this page or the network.
 */
export function DiagramBlock({ source }: { source: string }): ReactNode {
  const t = useTranslations('parts.diagram');
  const [drawn, setDrawn] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const isFaulty = failed === source;
  return (
    <div className="space-y-2">
      <Button aria-pressed={drawn && !isFaulty} disabled={isFaulty} onClick={() => setDrawn(!drawn)} size="sm">
        {t(drawn && !isFaulty ? 'asSource' : 'asDiagram')}
      </Button>
      {isFaulty ? (
        <p className="text-sm text-muted" role="status">
          {t('failed')}
        </p>
      ) : null}
      {drawn && !isFaulty ? (
        <DiagramFrame key={source} onFail={() => setFailed(source)} source={source} />
      ) : (
        <CodeBlock code={source} label={t('label')} maxHeight="32rem" />
      )}
    </div>
  );
}

function DiagramFrame({ source, onFail }: { source: string; onFail: () => void }): ReactNode {
  const t = useTranslations('parts.diagram');
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);

  useEffect(() => {
    function onMessage({ source: sender, data }: MessageEvent): void {
      const child = frame.current?.contentWindow;
      if (!child || sender !== child) return;
      if (data === 'ready') child.postMessage({ diagram: source, dark: isDark() }, '*');
      else if (data === 'failed') onFail();
      else if (typeof data === 'number' && data > 0) setHeight(Math.min(Math.max(data, MIN_HEIGHT), MAX_HEIGHT));
    }
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [source, onFail]);

  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {height === null ? (
        <p className="px-4 pt-3 text-sm text-muted" role="status">
          {t('loading')}
        </p>
      ) : null}
      <iframe
        className="block w-full"
        ref={frame}
        referrerPolicy="no-referrer"
        sandbox="allow-scripts"
        src="/api/chat/diagrams/frame"
        style={{ height: height ?? 240 }}
        title={t('title')}
      />
    </div>
  );
}
