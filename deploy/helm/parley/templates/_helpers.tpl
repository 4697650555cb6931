{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end -}}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ end }}
{{- end -}}

{{- define "parley.variables" -}}
APP_URL: {{ .Values.appUrl | quote }}
SHUTDOWN_DELAY_SECONDS: {{ .Values.shutdownDelaySeconds | quote }}
DRAIN_SECONDS: {{ .Values.drainSeconds | quote }}
{{- if .Values.metrics.enabled }}
METRICS_HOST: 0.0.0.0
METRICS_PORT: {{ .Values.metrics.port | quote }}
{{- end }}
{{- if .Values.grpc.enabled }}
GRPC_PORT: {{ .Values.grpc.port | quote }}
{{- if .Values.grpc.url }}
GRPC_URL: {{ .Values.grpc.url | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.env }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "parley.placement" -}}
{{- if .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml .Values.imagePullSecrets | nindent 2 }}
{{- end }}
{{- if .Values.nodeSelector }}
nodeSelector:
  {{- toYaml .Values.nodeSelector | nindent 2 }}
{{- end }}
{{- if .Values.tolerations }}
tolerations:
  {{- toYaml .Values.tolerations | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: data
    emptyDir:
      sizeLimit: {{ .Values.dataSizeLimit }}
  - name: tmp
    emptyDir: {}
  {{- if .Values.extraVolumes }}
  {{- toYaml .Values.extraVolumes | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "parley.container" -}}
image: {{ include "parley.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- if .Values.extraEnv }}
env:
  {{- toYaml .Values.extraEnv | nindent 2 }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: data
    mountPath: /var/lib/parley
  - name: tmp
    mountPath: /tmp
  {{- if .Values.extraVolumeMounts }}
  {{- toYaml .Values.extraVolumeMounts | nindent 2 }}
  {{- end }}
{{- end -}}
