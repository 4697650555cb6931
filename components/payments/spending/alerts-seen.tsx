'use client';

import { useEffect } from 'react';
import { callApi } from '../../account/call-api';

/** Marks the alerts that the page shows as seen. If this fails, they are new again the next time. */
export function AlertsSeen({ until }: { until: string }): null {
  useEffect(() => {
    void callApi('PUT', '/api/spending/alerts/seen', { until });
  }, [until]);
  return null;
}
