import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import type { JsonValue } from '../../../../lib/protocol/json';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { useSurfaceState } from './use-surface';

export type ControlKind = 'text-field' | 'secret' | 'check-box' | 'choice' | 'slider' | 'date-time';
export type ControlNode<Kind extends ControlKind> = ViewNode & { kind: Kind };

interface Bound<Value> {
  value: Value;
  change: (value: Value) => void;
}

/** Returns the value of a control: in the surface's data, or its own if the agent did not bind it. */
export function useBoundValue<Value extends JsonValue>({
  path,
  value,
}: {
  path: ControlNode<'slider'>['path'];
  value: Value;
}): Bound<Value> {
  const { write } = useSurfaceState();
  const [own, setOwn] = useState<Value | null>(null);
  if (path && path.length > 0) return { value, change: (next) => write(path, next) };
  return { value: own ?? value, change: setOwn };
}

/** Returns the fault to display, after a press or once the person has left the control. */
export function useFault({ fault }: { fault: string | null }): { text: string | null; leave: () => void } {
  const t = useTranslations('parts.a2ui');
  const { showsFaults } = useSurfaceState();
  const [isLeft, setLeft] = useState(false);
  const isShown = fault !== null && (showsFaults || isLeft);
  return { text: isShown ? fault || t('fault') : null, leave: () => setLeft(true) };
}

/** The fault of a control. */
export function FaultText({ id, text }: { id: string; text: string | null }): ReactNode {
  return text === null ? null : (
    <p className="text-sm text-danger" id={id}>
      <UntrustedText text={text} />
    </p>
  );
}
