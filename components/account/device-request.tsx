'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { DeviceRequestView } from '@/lib/tokens/schema';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { type ApiProblem, callApi } from './call-api';
import { FormProblem } from './form-problem';
import { scopes } from './scopes';

export interface DeviceRequestProps {
  userCode: string;
  request: DeviceRequestView;
  onDecided: (allowed: boolean) => void;
}

/** Which device asks for what, from where and when; nothing happens before a click. */
export function DeviceRequest({ userCode, request, onDecided }: DeviceRequestProps): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const [pending, setPending] = useState<'allow' | 'deny' | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  useEffect(() => panel.current?.focus(), []);

  async function decide(allow: boolean): Promise<void> {
    setPending(allow ? 'allow' : 'deny');
    setProblem(null);
    const answer = await callApi('POST', '/api/auth/device/decide', { userCode, allow });
    setPending(null);
    if (answer.ok) onDecided(allow);
    else setProblem(answer.problem);
  }

  return (
    <section aria-label="The device" className="scroll-mt-24 space-y-5 outline-none" ref={panel} tabIndex={-1}>
      <FormProblem problem={problem} />
      <Facts request={request} />
      <div>
        <h2 className="text-sm font-medium">It wants to</h2>
        <ul className="mt-2 space-y-2 text-sm">
          {scopes
            .filter(({ id }) => request.scopes.includes(id))
            .map(({ id, label, hint }) => (
              <li key={id}>
                <span className="block font-medium">{label}</span>
                <span className="block text-muted">{hint}</span>
              </li>
            ))}
        </ul>
      </div>
      <Alert tone="warn">
        Go on only if you started this yourself, just now. If somebody sent you the code, turn the device away.
      </Alert>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button
          className="flex-1"
          disabled={pending !== null}
          onClick={() => void decide(true)}
          pending={pending === 'allow'}
          tone="primary"
        >
          Sign in this device
        </Button>
        <Button
          className="flex-1"
          disabled={pending !== null}
          onClick={() => void decide(false)}
          pending={pending === 'deny'}
        >
          Turn it away
        </Button>
      </div>
    </section>
  );
}

function Facts({ request }: { request: DeviceRequestView }): ReactNode {
  const { clientId, address, userAgent, createdAt } = request;
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <dt className="text-muted">Client</dt>
      <dd>
        Parley command line <span className="font-mono text-xs text-muted">{clientId}</span>
      </dd>
      <dt className="text-muted">Program</dt>
      <dd className="break-words">
        <bdi>{userAgent || 'It did not say'}</bdi>
      </dd>
      <dt className="text-muted">From</dt>
      <dd className="font-mono break-all">{address}</dd>
      <dt className="text-muted">Asked</dt>
      <dd>
        <Moment at={createdAt} />
      </dd>
    </dl>
  );
}
