package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.os.Handler;
import android.os.Looper;
import androidx.recyclerview.widget.ListUpdateCallback;
import androidx.recyclerview.widget.RecyclerView;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.livedelta.android.MainThread;
import org.livedelta.android.ReplicaAdapter;
import org.livedelta.android.RowList;

@ResourceLock("the main looper")
class AdapterTest {
  private final RecyclerView view = new RecyclerView();
  private final ListAdapter adapter = new ListAdapter();

  @BeforeEach
  void start() {
    Looper.prepareMainLooper();
    view.setAdapter(adapter);
  }

  /** Shows rows as they are, to a strict view. */
  static final class ListAdapter extends ReplicaAdapter<RecyclerView.ViewHolder> {
    @Override
    public RecyclerView.ViewHolder onCreateViewHolder(android.view.ViewGroup parent, int viewType) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void onBindViewHolder(RecyclerView.ViewHolder holder, int position) {}

    @Override
    public Object content(int position) {
      return row(position);
    }
  }

  private static Json snapshot(int version, Json content) {
    Json sections = content.getKind() == Json.Kind.ARRAY
        ? Json.array(Json.object().put("id", "").put("items", content).build()) : content.get("sections");
    return Json.object().put("kind", "snapshot").put("version", "v." + version).put("seq", version).put("sections", sections).build();
  }

  private static Json delta(int from, String body) {
    return Json.parse(("{'kind':'delta','from':'v." + from + "','to':'v." + (from + 1) + "','seq':2,'sections':{}," + body + "}")
        .replace('\'', '"'));
  }

  @Test
  void a_strict_view_follows_random_lists_also_where_a_change_was_missed() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    RandomList list = new RandomList(random);
    Replica replica = new Replica();
    for (int version = 0; version < 500; version++) {
      Change change = replica.apply(snapshot(version, list.next()));
      if (random.nextInt(20) == 0) continue;
      adapter.show(change);
      if (random.nextInt(5) > 0) view.layout();
      assertSame(replica.getSnapshot(), adapter.getSnapshot(), "seed " + seed);
    }
    view.layout();
  }

  @Test
  void a_flat_list_has_no_header_and_its_steps_are_those_of_the_service() throws Exception {
    Replica replica = new Replica();
    adapter.show(replica.apply(snapshot(1, Json.parse("[{\"id\":1},{\"id\":2},{\"id\":3}]"))));
    view.layout();
    assertEquals(3, adapter.getItemCount());
    adapter.show(replica.apply(delta(1, "'ops':[['r',1,1],['m',2,1],['i',3,['4']],['c',1,['3']]],"
        + "'items':{'3':{'id':3,'n':1},'4':{'id':4}},'deleted':['1']")));
    assertEquals(4, view.notifications);
    view.layout();
    assertEquals("3", adapter.row(0).getId());
    adapter.show(replica.apply(Json.parse(delta(2, "'ops':[['c',0,[['s','']]]],'items':{},'deleted':[]").toString()
        .replace("\"sections\":{}", "\"sections\":{\"\":{\"id\":\"\",\"title\":1}}"))));
    assertEquals(0, view.notifications);
    adapter.show(replica.apply(Json.parse("{\"kind\":\"deleted\",\"version\":\"x\"}")));
    view.layout();
    assertEquals(0, adapter.getItemCount());
  }

  @Test
  void a_list_with_sections_has_a_row_for_each_header() throws Exception {
    Replica replica = new Replica();
    adapter.show(replica.apply(snapshot(1, Json.parse("{\"sections\":[{\"id\":\"s\",\"items\":[{\"id\":\"s\"}]}]}"))));
    view.layout();
    assertEquals(2, adapter.getItemCount());
    assertEquals(ReplicaAdapter.HEADER, adapter.getItemViewType(0));
    assertEquals(ReplicaAdapter.ITEM, adapter.getItemViewType(1));
    adapter.show(replica.apply(snapshot(2, Json.parse("[{\"id\":\"s\"}]"))));
    view.layout();
    assertEquals(1, adapter.getItemCount());
    assertTrue(adapter.hasStableIds());
  }

  @Test
  void a_row_that_changed_is_bound_with_the_names_of_the_members_that_did() throws Exception {
    Replica replica = new Replica();
    adapter.show(replica.apply(snapshot(1, Json.parse("[{\"id\":1,\"a\":1,\"b\":1},{\"id\":2,\"a\":1},{\"id\":3},{\"id\":4}]"))));
    view.layout();
    adapter.show(replica.apply(delta(1, "'ops':[['c',4,['4']],['m',4,1],['i',1,['5']],['c',3,['1','2']],['r',5,1]],'items':{"
        + "'1':{'id':1,'a':2,'c':1},'2':{'id':2,'a':9},'4':{'id':4,'b':null},'5':{'id':5}},'deleted':['3']")));
    view.layout();
    assertEquals("{1=[[b]], 2=[[a, b, c]], 3=[[a]]}", view.bound.toString());
    // Equal payloads beside each other are one notification; of several changes before a layout each has its payload.
    adapter.show(replica.apply(delta(2, "'ops':[['c',2,['4','1','2']]],'items':{"
        + "'4':{'id':4,'b':1},'1':{'id':1,'a':2,'b':1,'c':1},'2':{'id':2,'a':9,'b':1}},'deleted':[]")));
    assertEquals(1, view.notifications);
    adapter.show(replica.apply(delta(3, "'ops':[['c',3,['1']]],'items':{'1':{'id':1,'a':3,'b':1,'c':1}},'deleted':[]")));
    view.layout();
    assertEquals("{1=[[b]], 2=[[b], [a]], 3=[[b]]}", view.bound.toString());
  }

  @Test
  void payloads_are_of_the_row_that_changed_whatever_moves() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    RandomList list = new RandomList(random);
    Replica replica = new Replica();
    int[] compared = {0};
    RowList rows = new RowList();
    for (int version = 0; version < 300; version++) {
      Change change = replica.apply(snapshot(version, list.next()));
      rows.show(change, new Ignored(), (old, current) -> {
        assertEquals(old.getKey(), current.getKey(), "seed " + seed);
        assertTrue(old != current, "seed " + seed);
        compared[0]++;
        return null;
      });
    }
    assertTrue(compared[0] > 20, compared[0] + " rows");
  }

  private static final class Ignored implements ListUpdateCallback {
    @Override
    public void onInserted(int position, int count) {}

    @Override
    public void onRemoved(int position, int count) {}

    @Override
    public void onMoved(int fromPosition, int toPosition) {}

    @Override
    public void onChanged(int position, int count, Object payload) {}
  }

  @Test
  void an_app_is_called_when_a_change_is_laid_out_and_its_animations_have_ended() throws Exception {
    Replica replica = new Replica();
    StringBuilder calls = new StringBuilder();
    adapter.show(replica.apply(snapshot(1, Json.parse("[{\"id\":1},{\"id\":2}]"))), () -> calls.append("shown at ").append(adapter.position("2")));
    assertEquals("", calls.toString());
    view.frame(view::layout);
    assertEquals("", calls.toString());
    view.getItemAnimator().end();
    assertEquals("shown at 1", calls.toString());
    assertEquals(-1, adapter.position("3"));
    new ListAdapter().show(new Replica().apply(snapshot(1, Json.parse("[]"))), () -> calls.append(", at once"));
    assertEquals("shown at 1, at once", calls.toString());
  }

  @Test
  void nothing_is_shown_on_another_thread() throws Exception {
    Change change = new Replica().apply(snapshot(1, Json.parse("[{\"id\":1}]")));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread other = new Thread(() -> thrown.set(assertThrows(IllegalStateException.class, () -> adapter.show(change))));
    other.start();
    other.join();
    assertTrue(thrown.get() instanceof IllegalStateException);
    view.layout();
    MainThread.EXECUTOR.execute(() -> adapter.show(change));
    Handler.POSTED.take().run();
    view.layout();
    assertEquals(1, adapter.getItemCount());
  }
}
