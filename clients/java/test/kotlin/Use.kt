import java.io.File
import java.io.IOException
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import org.livedelta.Batch
import org.livedelta.Change
import org.livedelta.Changes
import org.livedelta.Edits
import org.livedelta.Feed
import org.livedelta.Json
import org.livedelta.LiveDeltaClient
import org.livedelta.Op
import org.livedelta.Outbox
import org.livedelta.OutboxListener
import org.livedelta.Replica
import org.livedelta.ReplicaException
import org.livedelta.ReplicaFile
import org.livedelta.Row
import org.livedelta.ServiceException
import org.livedelta.Snapshot
import org.livedelta.View
import org.livedelta.WriteOptions
import org.livedelta.Writer
import org.livedelta.android.RowList
import org.livedelta.http.JavaHttpTransport

/** What an app in Kotlin does with the client, with getters as properties, lambdas as listeners, and no `!!`. */
class Inbox(caches: File, session: () -> String) {
  val client: LiveDeltaClient = LiveDeltaClient.builder("http://127.0.0.1:1", "u42")
      .transport(JavaHttpTransport())
      .tokens { replaced: String? -> if (replaced == null) session() else throw IOException("no network") }
      .build()
  private val state = MutableStateFlow(Snapshot.EMPTY)
  val content: StateFlow<Snapshot> = state
  val feed: Feed = client.feed("inbox", "cart")
      .file(ReplicaFile(File(caches, "kept")))
      .view("inbox", View().where("/unread:eq:true").order("/date:desc").window("first:50"))
      .onStatus { status, problem -> println("$status ${problem?.code ?: "well"} ${problem?.current.orEmpty()}") }
      .start { update ->
        update.changes.forEach { (name: String, change: Change) -> println("$name ${change.kind} ${change.reason ?: ""}") }
        update["inbox"]?.let { state.value = it.after }
      }

  fun scroll() = feed.setWindow("inbox", "at:50:50")

  fun titles(): List<String> = content.value.sections.flatMap { it.items }.map { it.content.text("title") ?: it.id }

  fun write(writer: Writer = Writer(client)) {
    val mail: Json = Json.`object`().put("id", "m1").put("unread", true).build()
    writer.put("inbox", Json.array(mail)).version
    writer.edit("inbox", Edits().merge("m1", Json.parse("{}")).delete("m5"), WriteOptions.DEFAULT.ifVersion("v"))
    writer.batch(Batch().put("cart", Json.array()))
    writer.update("inbox") { held -> if (held.item("m9") == null) held.toJson() else null }
    Changes(client, null).use { changes -> for (change in changes) println("${change.client} ${change.name} ${change.version}") }
  }

  fun edit(file: File): Outbox = Outbox(client, "inbox", file, { task -> task.run() }, object : OutboxListener {
    override fun onChange(change: Change) = println(change.after.version)
    override fun onRefused(edits: Edits, reason: ServiceException) = println(reason.code)
  })
}

private fun expect(isTrue: Boolean, what: () -> String) {
  if (!isTrue) throw AssertionError(what())
}

fun main() {
  val replica = Replica()
  val first = replica.apply(Json.parse(
      """{"kind":"snapshot","version":"v.1.a","seq":1,"sections":[{"id":"s","items":[{"id":7,"n":1.50},{"id":"b"}]}]}"""))
  val change = replica.apply(Json.parse(
      """{"kind":"delta","from":"v.1.a","to":"v.2.b","seq":2,"ops":[["r",2,1]],"items":{},"sections":{},"deleted":["b"]}"""))
  expect(first?.kind == Change.Kind.SNAPSHOT && change?.kind == Change.Kind.DELTA) { "$first $change" }
  val (step: Op) = change?.ops.orEmpty()
  expect(step.kind == Op.Kind.REMOVE && step.index == 2 && step.count == 1) { "$step" }
  val row: Row? = replica.snapshot.item("7")
  expect(row?.content?.get("n")?.asNumber() == "1.50" && !row.isHeader) { "$row" }
  expect(replica.snapshot.version == "v.2.b" && replica.snapshot.meta == null && !replica.snapshot.isFlat) { "the snapshot" }
  expect(RowList().rows.isEmpty()) { "no rows" }
  try {
    replica.apply(Json.parse("""{"kind":"delta","from":"v.9.x","to":"v.10.x","seq":10}"""))
    throw AssertionError("a delta from another version")
  } catch (fault: ReplicaException) {
    println("Kotlin: ${KotlinVersion.CURRENT}, ${fault.message}")
  }
}
