import type { ReactNode } from 'react';

const promises = [
  {
    title: 'Your identity stays yours',
    text: 'Every publisher knows you by another id. Your e-mail address goes to an agent only when you grant it.',
  },
  {
    title: 'Nothing runs away',
    text: 'A conversation belongs to your account, not to the tab. Reload in the middle and the answer goes on where it was.',
  },
  {
    title: 'Badges come from the card',
    text: 'What a listing promises is derived from what its agent publishes. Nobody can buy or borrow a badge.',
  },
  {
    title: 'Open on both sides',
    text: 'Any agent that speaks A2A can be listed, and any A2A client can call it here with a token of yours.',
  },
];

/** What a person can rely on. */
export function HomePromises(): ReactNode {
  return (
    <section aria-labelledby="count-on" className="page-x pt-16">
      <h2 className="text-2xl font-semibold" id="count-on">
        What you can count on
      </h2>
      <dl className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {promises.map(({ title, text }) => (
          <div className="border-t-2 border-ink pt-4" key={title}>
            <dt className="font-semibold">{title}</dt>
            <dd className="mt-2 text-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
