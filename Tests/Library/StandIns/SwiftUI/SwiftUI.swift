// What the guides use of SwiftUI, for machines without it: `scripts/test adapters`. The signatures are
// those that Apple documents; nothing is drawn.

/// What is drawn.
@MainActor @preconcurrency public protocol View {
  /// The type of the body.
  associatedtype Body: View
  /// What the view is made of.
  @ViewBuilder var body: Body { get }
}

/// Makes the view of a body.
@resultBuilder public enum ViewBuilder {
  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

extension Never: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

/// A text.
public struct Text: View {
  /// A text.
  public nonisolated init<S: StringProtocol>(_ content: S) {}
  /// Nothing.
  public var body: Never { fatalError() }
}

/// A list of rows.
public struct List<SelectionValue: Hashable, Content: View>: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

extension List where SelectionValue == Never {
  /// A list of what is in it.
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  /// A list of the rows of identifiable data.
  public nonisolated init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}

/// A view of each element.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

extension ForEach where ID == Data.Element.ID, Data.Element: Identifiable {
  /// Views of identifiable data.
  public nonisolated init(
    _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

/// A part of a list, under a header.
public struct Section<Parent: View, Content: View, Footer: View>: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

extension Section where Parent == Text, Footer == Never {
  /// A part of a list, under a text.
  public nonisolated init<S: StringProtocol>(
    _ title: S, @ViewBuilder content: () -> Content
  ) {}
}

/// What acts when it is tapped.
public struct Button<Label: View>: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

extension Button where Label == Text {
  /// A button with a text.
  public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

/// A view that was changed.
public struct ModifiedView: View {
  /// Nothing.
  public var body: Never { fatalError() }
}

extension View {
  /// Runs a task while the view is shown.
  public nonisolated func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { ModifiedView() }
}

extension View {
  /// Runs an action before the view appears.
  public nonisolated func onAppear(perform action: (@MainActor () -> Void)? = nil) -> some View {
    ModifiedView()
  }

  /// Runs an action after the view disappears.
  public nonisolated func onDisappear(
    perform action: (@MainActor () -> Void)? = nil
  ) -> some View { ModifiedView() }

  /// Runs an action when the user pulls to refresh.
  public nonisolated func refreshable(
    action: @escaping @Sendable () async -> Void
  ) -> some View { ModifiedView() }
}

/// A value that a view keeps.
@propertyWrapper public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  /// The value.
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  /// A value.
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
}
