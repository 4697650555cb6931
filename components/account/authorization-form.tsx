'use client';

import { useTranslations } from 'next-intl';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';

export interface AuthorizationFormProps {
  parameters: [string, string][];
  /** True if the decision opens an app by its private-use scheme: this page then stays. */
  opensApp: boolean;
}

/** The decision on an authorization request: a form that works without script. */
export function AuthorizationForm({ parameters, opensApp }: AuthorizationFormProps): ReactNode {
  const t = useTranslations('account.authorizationForm');
  const pointerMoved = useRef(false);
  const [sent, setSent] = useState(false);

  /**
   * Ignores a mouse click without a movement over the button: a page that places this one under the pointer between the
   * two clicks of a double click cannot make the user allow anything.
   */
  function ignoreUnaimed(event: MouseEvent): void {
    const { pointerType, detail } = event.nativeEvent as PointerEvent;
    if (pointerType === 'mouse' && detail > 0 && !pointerMoved.current) event.preventDefault();
  }

  return (
    <form action={routes.authorize} className="space-y-4" method="post" onSubmit={() => setSent(true)}>
      {parameters.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat, and the list never changes
        <input key={index} name={name} type="hidden" value={value} />
      ))}
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button
          className="flex-1"
          name="decision"
          onClick={ignoreUnaimed}
          onPointerMove={({ movementX, movementY }) => {
            if (movementX !== 0 || movementY !== 0) pointerMoved.current = true;
          }}
          tone="primary"
          type="submit"
          value="allow"
        >
          {t('allow')}
        </Button>
        <Button className="flex-1" name="decision" type="submit" value="deny">
          {t('deny')}
        </Button>
      </div>
      {sent && opensApp ? <Alert live="polite">{t('opened')}</Alert> : null}
    </form>
  );
}
