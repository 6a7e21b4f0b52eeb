import org.livedelta.Json
import org.livedelta.Replica
import org.livedelta.Row
import org.livedelta.Snapshot
import org.livedelta.TokenProvider

// What may be null must be asked for: the compiler refuses each of these lines, and nothing else here.
fun title(row: Row): Int = row.content.text("title").length // refused
fun version(held: Snapshot): String = held.version // refused
fun item(held: Snapshot): Json = held.item("a").content // refused
fun meta(held: Snapshot): Json = held.meta // refused
fun change(replica: Replica, answer: Json) = replica.apply(answer).ops // refused
val tokens = TokenProvider { replaced -> replaced.length.toString() } // refused
val text: Json = Json.of(null as String?) // refused
