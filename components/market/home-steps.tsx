import type { ReactNode } from 'react';
import { type Signal, SignalFlag, signalMeaning } from './signal-flag';

const steps: { signal: Signal; title: string; text: string }[] = [
  {
    signal: 'G',
    title: 'Find',
    text: 'Search by what you need, not by a name. Each result says which of the agent’s skills matched, and its badges are read from its own card.',
  },
  {
    signal: 'K',
    title: 'Talk',
    text: 'Chat in the browser and watch the answer being written. Close the tab, lose the network, come back: nothing is lost. Stop stops the work at the agent too.',
  },
  {
    signal: 'C',
    title: 'Agree',
    text: 'When an agent has an offer, it comes as a cart with every line and the total. It is your decision, and nothing is paid without it.',
  },
];

/** How it works, in three steps and three signal flags. */
export function HomeSteps(): ReactNode {
  return (
    <section aria-labelledby="how" className="border-y border-line bg-surface">
      <div className="page-x py-16">
        <h2 className="text-2xl font-semibold" id="how">
          How it works
        </h2>
        <ol className="mt-8 grid grid-cols-1 gap-10 md:grid-cols-3">
          {steps.map(({ signal, title, text }) => (
            <li key={signal}>
              <SignalFlag className="border border-line" signal={signal} />
              <p className="mt-2 font-mono text-xs text-muted">
                Signal {signal}: {signalMeaning[signal]}
              </p>
              <h3 className="mt-4 text-xl font-semibold">{title}</h3>
              <p className="mt-2 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
