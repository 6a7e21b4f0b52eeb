package import DeltaEngine
import SnapshotJSON

/// The input for encoding answers, of which encoders get no other.
extension VisibleCollection {
  /// The input for encoding all of the head; nil for a reader who may not see all of it.
  package func material(_ form: AnswerForm) -> SnapshotEncodingInput? {
    guard restriction == nil else { return nil }
    return SnapshotEncodingInput(
      sections: state.sections, ids: state.ids, contents: state.contents,
      animations: animations(form), idPath: state.settings.idPath)
  }

  /// The input for encoding a delta to all of the head; nil for a reader who may not see all of it.
  package func material(
    of delta: Delta, from record: VersionRecord, source: [StructureSection], isAnimated: Bool,
    _ form: AnswerForm
  ) -> DeltaEncodingInput? {
    guard restriction == nil else { return nil }
    let target = SnapshotEncodingInput(
      sections: state.sections, ids: state.ids, contents: state.contents,
      animations: state.settings.animations)
    return DeltaEncodingInput(
      envelope: DeltaEncodingInput.Envelope(
        collection: state.name.text, from: token(of: record).marked(form.sinceMark), to: token,
        isAnimated: isAnimated),
      source: source, target: target, delta: delta,
      metaChange: record.meta == state.record.meta ? .unchanged : .changed)
  }

  /// The input for encoding all of a retained version; nil for a reader who may not see all of it, or if contents
  /// are not available.
  package func material(
    of version: RetainedVersion, _ form: AnswerForm
  ) -> SnapshotEncodingInput? {
    guard restriction == nil else { return nil }
    return version.material(animations: animations(form))
  }

  /// The input for encoding a list that a view of the collection gives.
  package func material(of list: ViewedList, _ form: AnswerForm) -> SnapshotEncodingInput {
    var material = SnapshotEncodingInput(
      sections: list.sections, ids: list.ids, contents: list.contents,
      animations: animations(form, of: list), idPath: state.settings.idPath)
    material.view = ViewNumbers(list)
    material.parts = list.parts
    return material
  }

  /// The animation preferences that are sent with an answer.
  package func animations(_ form: AnswerForm) -> [UInt8]? {
    form.omitsSettings || !shows(.animations) ? nil : state.settings.animations
  }

  /// The animation preferences that are sent with a list: a restricted reader gets those of the sections in it.
  private func animations(_ form: AnswerForm, of list: ViewedList) -> [UInt8]? {
    guard let text = animations(form), restriction != nil else { return animations(form) }
    guard let root = JSONReader(depthMax: JSONReader.depthMaxMax).root(of: text) else { return nil }
    let ids = Set(list.sections.map { Array(list.ids.text($0.uniqueID)) })
    return JSONWriter.object { writer in
      for (name, value) in root.members {
        writer.key(name)
        guard name == "bySection" else {
          writer.value(value)
          continue
        }
        writer.object { writer in
          for (id, value) in value.members where ids.contains(Array(id.utf8)) {
            writer.key(id)
            writer.value(value)
          }
        }
      }
    }
  }
}
