'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useContext } from 'react';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import { AgentMark } from '../../ui/display/agent-mark';
import { ExampleContext } from '../thread/message-actions';

/** The page before the first message: the agent, and suggestions for a first message. */
export function EmptyThread({ agent }: { agent: ChatAgent }): ReactNode {
  const t = useTranslations('chat.emptyThread');
  const onExample = useContext(ExampleContext);
  return (
    <div className="flex flex-col items-center text-center sm:pt-[8vh]">
      <div className="mb-4 max-sm:hidden">
        <AgentMark size={56} slug={agent.slug} />
      </div>
      <h2 className="text-xl font-semibold">
        <bdi>{agent.name}</bdi>
      </h2>
      <p className="mt-2 line-clamp-4 max-w-[52ch] text-muted" dir="auto">
        {agent.description}
      </p>
      {agent.examples.length > 0 ? (
        <>
          <h3 className="mt-6 text-sm font-medium text-muted sm:mt-8" id="examples">
            {t('examples')}
          </h3>
          <ul aria-labelledby="examples" className="mt-3 grid w-full max-w-xl gap-2 sm:grid-cols-2">
            {agent.examples.map((example) => (
              <li key={example}>
                <button
                  className="h-full min-h-11 w-full rounded-lg border border-line bg-surface px-4 py-2.5 text-start text-sm hover:border-line-strong hover:bg-sunken"
                  onClick={() => onExample(example)}
                  type="button"
                >
                  <span className="line-clamp-3 whitespace-pre-line" dir="auto">
                    {example}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
