'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { type ApiProblem, callApiByForm } from '../../forms/call-api';
import { FormProblem } from '../../forms/form-problem';
import { authorizationPaths } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';

export interface AuthorizationFormProps {
  parameters: [string, string][];
  /** True if the decision opens an app by its private-use scheme, in which case this page stays open. */
  opensApp: boolean;
}

/**
 * The decision on an authorization request, in a form that works without JavaScript. With JavaScript, the page itself
 * navigates to the client, because Chromium would also apply `form-action` to every later redirect by the client.
 */
export function AuthorizationForm({ parameters, opensApp }: AuthorizationFormProps): ReactNode {
  const t = useTranslations('account.authorizationForm');
  const pointerMoved = useRef(false);
  const [pending, setPending] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [opened, setOpened] = useState(false);
  // Only parameters that Parley ignores can occur more than once here.
  const fields = new Map(parameters.map((parameter) => [parameter.join('='), parameter]));

  /**
   * Ignores a mouse click without a preceding movement over the button, so that a page that places this one under the
   * pointer between the two clicks of a double click cannot cause an unintended approval.
   */
  function ignoreUnaimed(event: MouseEvent): void {
    const { pointerType, detail } = event.nativeEvent as PointerEvent;
    if (pointerType === 'mouse' && detail > 0 && !pointerMoved.current) event.preventDefault();
  }

  async function decide(decision: string): Promise<void> {
    setPending(decision);
    setProblem(null);
    const response = await callApiByForm(
      authorizationPaths.authorize,
      new URLSearchParams([...parameters, ['decision', decision]]),
    );
    if (response.ok) {
      const { redirectTo } = response.body as { redirectTo: string };
      window.location.assign(redirectTo);
      setOpened(opensApp);
      if (opensApp) setPending(null);
    } else if (response.problem.code === 'unauthenticated') {
      // The page asks for a sign-in.
      window.location.reload();
    } else {
      setPending(null);
      setProblem(response.problem);
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (pending === null && submitter instanceof HTMLButtonElement) void decide(submitter.value);
  }

  return (
    <form action={authorizationPaths.authorize} className="space-y-4" method="post" onSubmit={onSubmit}>
      <FormProblem problem={problem} />
      {[...fields].map(([key, [name, value]]) => (
        <input key={key} name={name} type="hidden" value={value} />
      ))}
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button
          className="flex-1"
          name="decision"
          onClick={ignoreUnaimed}
          onPointerMove={({ movementX, movementY }) => {
            if (movementX !== 0 || movementY !== 0) pointerMoved.current = true;
          }}
          pending={pending === 'allow'}
          tone="primary"
          type="submit"
          value="allow"
        >
          {t('allow')}
        </Button>
        <Button className="flex-1" name="decision" pending={pending === 'deny'} type="submit" value="deny">
          {t('deny')}
        </Button>
      </div>
      {opened ? <Alert live="polite">{t('opened')}</Alert> : null}
    </form>
  );
}
