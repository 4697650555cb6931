import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { actionOf } from '../../../../lib/protocol/a2ui/actions/surface-action';
import type { PlacedSurface } from '../../../../lib/protocol/a2ui/messages/place-surfaces';
import { buildView } from '../../../../lib/protocol/a2ui/view/build-view';
import { faultsBefore, imagesIn } from '../../../../lib/protocol/a2ui/view/inspect-view';
import { Button } from '../../../ui/controls/button';
import { useClock } from '../../../ui/display/date-time';
import { announce } from '../../../ui/overlays/announcer';
import type { CardReply } from '../../state/message-content';
import type { Phase } from '../../state/to-items';
import { CardFrame } from '../card-frame';
import { useFirstFocus } from '../form/use-first-focus';
import { SurfaceNode } from './surface-node';
import { type ButtonNode, SurfaceContext, type SurfaceState, useSurfaceValues } from './use-surface';

interface SurfaceFrameProps {
  placed: PlacedSurface;
  agentName: string;
  phase: Phase;
  /** True while a message of the person is being sent. */
  isSending: boolean;
  /** Sends an action on behalf of the user. Absent if the surface is history. */
  onReply: ((reply: CardReply) => void) | undefined;
}

/** A surface of the agent, in the frame of its answer. */
export function SurfaceFrame({ placed, agentName, phase, isSending, onReply }: SurfaceFrameProps): ReactNode {
  const t = useTranslations('parts.a2ui');
  const { surface, key, turn } = placed;
  const locale = useLocale();
  const { timeZone } = useClock();
  const place = useMemo(() => ({ locale, timeZone }), [locale, timeZone]);
  const isStreaming = phase === 'working';
  const isOpen = onReply !== undefined || isStreaming;
  const { data, write } = useSurfaceValues(surface, `${turn} ${key}`, isOpen);
  const [pressed, setPressed] = useState<string | null>(null);
  const [showsFaults, setShowsFaults] = useState(false);
  const [showsImages, setShowsImages] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const view = useMemo(() => buildView(surface, data, place), [surface, data, place]);
  const images = useMemo(() => (view.root ? imagesIn(view.root) : 0), [view]);

  useEffect(() => {
    if (!isSending) setPressed(null);
  }, [isSending]);

  useFirstFocus(element, onReply && phase === 'asks' ? `${turn} ${key}` : null);

  function press(node: ButtonNode, label: string): void {
    if (!onReply || pressed !== null || !view.root) return;
    const faults = faultsBefore(view.root, node, surface.components);
    setShowsFaults(true);
    if (faults > 0) {
      announce(t('faults', { count: faults }), 'assertive');
      requestAnimationFrame(() => {
        const faulty = [...(element.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? [])];
        // A tab that is not open hides its controls.
        faulty.find((one) => one.checkVisibility())?.focus();
      });
      return;
    }
    const action = actionOf({ surface, node, data, label, now: new Date() }, place);
    if (!action) {
      announce(t('tooLarge'), 'assertive');
      return;
    }
    setPressed(`${node.id} ${node.base.join('/')}`);
    onReply({ text: '', files: [], action });
  }

  const state: SurfaceState = {
    ...{ agentName, isOpen, isStreaming, showsFaults, showsImages, pressed, write, press },
  };
  if (surface.isDeleted) return <p className="text-sm text-muted">{t('deleted')}</p>;
  return (
    <CardFrame className="-m-1.5 rounded-none border-0 p-1.5" label={t('label', { agent: agentName })}>
      <div className="space-y-3 outline-none" ref={element} tabIndex={-1}>
        {images > 0 && !showsImages ? (
          <Button onClick={() => setShowsImages(true)} size="sm">
            {t('showImages', { count: images })}
          </Button>
        ) : null}
        <SurfaceContext value={state}>
          {view.root ? (
            <SurfaceNode node={view.root} />
          ) : (
            <p className="text-muted">{t(isStreaming ? 'loading' : 'empty')}</p>
          )}
        </SurfaceContext>
        {surface.isCut || view.isCut ? <p className="text-xs text-muted">{t('cut')}</p> : null}
      </div>
    </CardFrame>
  );
}
