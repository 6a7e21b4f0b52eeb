@file:Suppress("UNUSED_PARAMETER", "unused")

// The signatures of AndroidX that the guide's Kotlin uses, as it documents them; without Compose's own compiler.
package androidx.standins

import kotlin.reflect.KProperty
import kotlinx.coroutines.flow.StateFlow

annotation class Composable

abstract class ViewModel {
  protected open fun onCleared() {}
}

class State<out T>(val value: T) {
  operator fun getValue(thisRef: Any?, property: KProperty<*>): T = value
}

fun <T> StateFlow<T>.collectAsStateWithLifecycle(): State<T> = State(value)

interface Modifier {
  companion object : Modifier
}

interface LazyItemScope {
  fun Modifier.animateItem(): Modifier
}

interface LazyListScope

fun <T> LazyListScope.items(
    items: List<T>, key: ((item: T) -> Any)? = null, contentType: (item: T) -> Any? = { null },
    itemContent: LazyItemScope.(item: T) -> Unit,
) {}

fun LazyColumn(modifier: Modifier = Modifier, content: LazyListScope.() -> Unit) {}

fun Text(text: String, modifier: Modifier = Modifier) {}
