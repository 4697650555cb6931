'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import { Button } from '../../ui/controls/button';
import { waitingFor } from '../state/chains';

export interface ChainNoticeProps {
  chains: ReadonlyMap<string, ChainView>;
}

/**
 * A notice above the composer that other agents wait for the user, who may be reading another part of the page, with a
 * link to that place.
 */
export function ChainNotice({ chains }: ChainNoticeProps): ReactNode {
  const t = useTranslations('chat.chainNotice');
  const waiting = [...chains.values()].flatMap((chain) => waitingFor(chain).map((one) => ({ ...one, chain })));
  const [first] = waiting;
  if (!first) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-xl border-b border-line bg-accent-soft px-4 py-2 text-sm">
      <p className="min-w-48 flex-1">
        {t.rich(first.kind, { agent: () => <bdi className="font-medium">{first.agent}</bdi> })}
        {waiting.length > 1 ? ` ${t('more', { count: waiting.length - 1 })}` : null}
      </p>
      <Button className="-me-2" onClick={() => void showWaiting(first.chain.rootTaskId)} size="sm" tone="quiet">
        {t('show')}
      </Button>
    </div>
  );
}

/** Maximum frames until a task far from the viewport is rendered. */
const RENDER_FRAMES = 60;

/** Scrolls to the element of this chain that waits for the user, and focuses it. */
async function showWaiting(rootTaskId: string): Promise<void> {
  const items = document.querySelectorAll(`[data-task="${CSS.escape(rootTaskId)}"]`);
  const item = [...items].at(-1);
  item?.scrollIntoView({ block: 'end' });
  for (let frame = 0; frame < RENDER_FRAMES; frame += 1) {
    const target = item?.querySelector<HTMLElement>('[data-waits]');
    if (target) {
      target.focus();
      return;
    }
    await new Promise(requestAnimationFrame);
  }
}
