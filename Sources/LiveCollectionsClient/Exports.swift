// The former name of the client over libcurl, for sources that still import it.
@_exported public import LiveDeltaClient
@_exported public import LiveDeltaCurl
