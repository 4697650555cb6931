import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { DownloadIcon } from '../ui/icons';

/** Everything that is kept about the person, as a file; a plain form, so that the browser saves it while it arrives. */
export function ExportData(): ReactNode {
  return (
    <section aria-labelledby="export-title" className="space-y-3">
      <h2 className="text-lg font-semibold" id="export-title">
        Download
      </h2>
      <p className="text-muted">
        One JSON file with your profile, sessions, access tokens, connected agents, apps, your own agents, all
        conversations and your activity. Passwords and secrets are not in it.
      </p>
      <form action="/api/account/export" method="post">
        <Button icon={<DownloadIcon size={16} />} type="submit">
          Download your data
        </Button>
      </form>
    </section>
  );
}
