import android.os.Looper;
import androidx.recyclerview.widget.DiffUtil;
import androidx.recyclerview.widget.ListUpdateCallback;
import androidx.recyclerview.widget.RecyclerView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.livedelta.Change;
import org.livedelta.Json;
import org.livedelta.Replica;
import org.livedelta.ReplicaException;
import org.livedelta.Row;
import org.livedelta.android.ReplicaAdapter;
import org.livedelta.android.RowList;

/** One change in many rows, over and over; the median, in microseconds, of each way to show it. */
final class Rows {
  private static final int ROUNDS = 400;

  private final int count;
  private final Replica replica = new Replica();
  private final List<Change> changes = new ArrayList<>();
  private int told;
  private final ListUpdateCallback callback = new ListUpdateCallback() {
    @Override
    public void onInserted(int position, int count) {
      told++;
    }

    @Override
    public void onRemoved(int position, int count) {
      told++;
    }

    @Override
    public void onMoved(int from, int to) {
      told++;
    }

    @Override
    public void onChanged(int position, int count, Object payload) {
      told++;
    }
  };

  private Rows(int count) throws ReplicaException {
    this.count = count;
    StringBuilder items = new StringBuilder();
    for (int id = 0; id < count; id++) items.append(id == 0 ? "" : ",").append(item(id, 0));
    changes.add(replica.apply(Json.parse("{\"kind\":\"snapshot\",\"version\":\"v.0.x\",\"seq\":0,\"sections\":[{\"id\":\"s\",\"items\":["
        + items + "]}]}")));
    for (int round = 1; round <= ROUNDS; round++) changes.add(replica.apply(Json.parse(delta(round))));
  }

  private static String item(int id, int n) {
    return "{\"id\":\"i" + id + "\",\"title\":\"a row of the list\",\"n\":" + n + "}";
  }

  /** By turns a row that changes, one that is removed at the end, and one that is inserted there. */
  private String delta(int round) {
    String head = "{\"kind\":\"delta\",\"from\":\"v." + (round - 1) + ".x\",\"to\":\"v." + round + ".x\",\"seq\":" + round + ",\"sections\":{},";
    int at = round * 7919 % (count - 1);
    switch (round % 3) {
      case 0:
        return head + "\"ops\":[[\"i\"," + count + ",[\"n" + round + "\"]]],\"items\":{\"n" + round + "\":{\"id\":\"n" + round + "\"}},\"deleted\":[]}";
      case 1:
        return head + "\"ops\":[[\"c\"," + (at + 1) + ",[\"i" + at + "\"]]],\"items\":{\"i" + at + "\":" + item(at, round) + "},\"deleted\":[]}";
      default:
        String last = round == 2 ? "i" + (count - 1) : "n" + (round - 2);
        return head + "\"ops\":[[\"r\"," + count + ",1]],\"items\":{},\"deleted\":[\"" + last + "\"]}";
    }
  }

  /** What a way takes for each change, once it has been compiled. */
  private void measure(String name, Way way) {
    long[] times = new long[ROUNDS];
    long first = 0;
    for (int repeat = 0; repeat < 4; repeat++) {
      way.begin();
      for (int round = 1; round <= ROUNDS; round++) {
        long start = System.nanoTime();
        way.show(changes.get(round));
        times[round - 1] = System.nanoTime() - start;
        if (first == 0) first = times[0];
      }
    }
    Arrays.sort(times);
    System.out.printf("%-60s %9.1f µs, p99 %9.1f, the first time %9.1f%n",
        name, times[ROUNDS / 2] / 1e3, times[ROUNDS * 99 / 100] / 1e3, first / 1e3);
  }

  private interface Way {
    default void begin() {}

    void show(Change change);
  }

  private static DiffUtil.DiffResult diff(Change change, boolean detectsMoves) {
    List<Row> before = change.getBefore().getRows();
    List<Row> after = change.getAfter().getRows();
    return DiffUtil.calculateDiff(new DiffUtil.Callback() {
      @Override
      public int getOldListSize() {
        return before.size();
      }

      @Override
      public int getNewListSize() {
        return after.size();
      }

      @Override
      public boolean areItemsTheSame(int one, int other) {
        return before.get(one).getId().equals(after.get(other).getId());
      }

      @Override
      public boolean areContentsTheSame(int one, int other) {
        return before.get(one).getContent().equals(after.get(other).getContent());
      }
    }, detectsMoves);
  }

  private void run() {
    Looper.prepareMainLooper();
    System.out.println(count + " rows, one change: the median of " + ROUNDS);
    measure("livedelta-android, RowList.show", new Way() {
      private RowList list;

      @Override
      public void begin() {
        list = new RowList();
        list.show(changes.get(0), callback);
      }

      @Override
      public void show(Change change) {
        list.show(change, callback);
      }
    });
    measure("livedelta-android, ReplicaAdapter.show", new Way() {
      private Adapter adapter;

      @Override
      public void begin() {
        adapter = new Adapter();
        adapter.show(changes.get(0));
      }

      @Override
      public void show(Change change) {
        adapter.show(change);
      }
    });
    for (boolean detectsMoves : new boolean[] {true, false}) {
      String moves = detectsMoves ? "" : ", without moves";
      measure("DiffUtil, calculateDiff and dispatchUpdatesTo" + moves, change -> diff(change, detectsMoves).dispatchUpdatesTo(callback));
    }
    DiffUtil.DiffResult[] results = new DiffUtil.DiffResult[ROUNDS + 1];
    for (int round = 1; round <= ROUNDS; round++) {
      results[round] = round % 8 == 0 ? diff(changes.get(round), true) : null;
    }
    measureDispatch(results);
    System.out.println(told + " notifications");
  }

  /** What is left for the main thread if another thread compares, as ListAdapter has it. */
  private void measureDispatch(DiffUtil.DiffResult[] results) {
    List<Long> times = new ArrayList<>();
    for (int repeat = 0; repeat < 20; repeat++) {
      for (DiffUtil.DiffResult result : results) {
        if (result == null) continue;
        long start = System.nanoTime();
        result.dispatchUpdatesTo(callback);
        times.add(System.nanoTime() - start);
      }
    }
    List<Long> last = new ArrayList<>(times.subList(times.size() / 2, times.size()));
    last.sort(null);
    System.out.printf("%-60s %9.1f µs, p99 %9.1f%n", "DiffUtil on another thread: dispatchUpdatesTo alone",
        last.get(last.size() / 2) / 1e3, last.get(last.size() * 99 / 100) / 1e3);
  }

  private static final class Adapter extends ReplicaAdapter<RecyclerView.ViewHolder> {
    @Override
    public RecyclerView.ViewHolder onCreateViewHolder(android.view.ViewGroup parent, int viewType) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void onBindViewHolder(RecyclerView.ViewHolder holder, int position) {}
  }

  public static void main(String[] words) throws ReplicaException {
    new Rows(Integer.parseInt(words[0])).run();
  }
}
