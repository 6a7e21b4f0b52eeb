/// Builds content from raw data; knows the content held, for those who keep identities by it.
@usableFromInline
struct ContentBuilder<Element: Sendable, Raw>: Sendable {
  /// Where to build; `nil` for the calculation queue.
  var queue: WorkQueue?
  /// The whole content, in place of what is held.
  var build: @Sendable (_ raw: [Raw], _ held: [Element]) -> [Element]
  /// More content, to stand beside all that is held.
  var buildMore: @Sendable (_ raw: [Raw], _ held: [Element]) -> [Element]
}

extension ContentBuilder where Raw == Element {
  /// Takes the raw data as it is.
  @usableFromInline
  static var identity: ContentBuilder {
    ContentBuilder(queue: nil, build: { raw, _ in raw }, buildMore: { raw, _ in raw })
  }
}
