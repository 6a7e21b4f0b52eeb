// Names of before that are too common; they go with the next version.

/// A field of a request or response.
@available(*, deprecated, renamed: "HeaderField")
public typealias HTTPField = HeaderField

/// Carries requests to a service.
@available(*, deprecated, renamed: "DeltaTransport")
public typealias Transport = DeltaTransport

/// A decoded answer together with the response.
@available(*, deprecated, renamed: "ClientReply")
public typealias Reply = ClientReply
