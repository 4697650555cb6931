/** The answer that starts the device flow (RFC 8628 §3.2). Times in seconds. */
export interface DeviceAuthorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}
