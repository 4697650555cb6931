import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface TalkBubbleProps {
  from: 'user' | 'agent';
  /** The speaker, for screen readers. */
  speaker: string;
  children: ReactNode;
}

/** One message of an example conversation: the user's at the end, the agent's at the start. */
export function TalkBubble({ from, speaker, children }: TalkBubbleProps): ReactNode {
  return (
    <div
      className={clsx(
        'w-fit max-w-[88%] rounded-lg px-3.5 py-2',
        from === 'user' ? 'ms-auto rounded-ee-sm bg-accent-soft' : 'rounded-es-sm bg-sunken',
      )}
    >
      <span className="sr-only">{speaker} </span>
      {children}
    </div>
  );
}
