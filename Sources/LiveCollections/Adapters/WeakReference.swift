/// A weak reference for the main queue.
@MainActor final class WeakReference<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}
