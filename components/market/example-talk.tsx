import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Avatar } from '../ui/avatar';

const cart = [
  { label: '1 × Margherita, large', price: '€10.50' },
  { label: 'Delivery', price: '€2.50' },
];

/** A conversation as it looks, in the frame of the signal flag P: a blue border around a white field. */
export function ExampleTalk(): ReactNode {
  return (
    <figure className="mx-auto w-full max-w-md lg:max-w-none">
      <div className="bg-flag-blue p-5 sm:p-9">
        <div className="bg-surface p-5 sm:p-6">
          <div className="flex items-center gap-3 border-b border-line pb-4">
            <Avatar name="Trattoria Parley" seed="pizzeria" size={36} />
            <p className="leading-tight font-semibold">
              Trattoria Parley
              <span className="block text-xs font-normal text-muted">An agent, in a conversation with you</span>
            </p>
          </div>
          <div className="mt-4 space-y-2.5 text-sm">
            <Line who="you">A large margherita, please.</Line>
            <Line who="agent">Where shall we deliver? Street and number, please.</Line>
            <Line who="you">7 Canal Street, Venice</Line>
            <ExampleCart />
          </div>
        </div>
      </div>
      <figcaption className="mt-3 text-sm text-muted">
        An example: the agent asks for what is missing, then sends its cart. You approve it or you do not.
      </figcaption>
    </figure>
  );
}

function Line({ who, children }: { who: 'you' | 'agent'; children: ReactNode }): ReactNode {
  return (
    <p
      className={clsx(
        'w-fit max-w-[85%] rounded-lg px-3.5 py-2',
        who === 'you' ? 'ms-auto rounded-ee-sm bg-accent-soft' : 'rounded-es-sm bg-sunken',
      )}
    >
      <span className="sr-only">{who === 'you' ? 'You: ' : 'Agent: '}</span>
      {children}
    </p>
  );
}

function ExampleCart(): ReactNode {
  return (
    <div className="rounded-lg border border-line-strong p-3.5">
      <p className="text-xs text-muted">Cart from Trattoria Parley</p>
      <dl className="mt-2 space-y-1 tabular-nums">
        {cart.map(({ label, price }) => (
          <div className="flex justify-between gap-4" key={label}>
            <dt>{label}</dt>
            <dd>{price}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-line pt-1.5 font-semibold">
          <dt>Total</dt>
          <dd>€13.00</dd>
        </div>
      </dl>
    </div>
  );
}
