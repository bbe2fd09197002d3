package io.millrace.samples.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.api.Route;
import io.millrace.api.codec.jackson.JacksonCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between clients, daemons and the coordinator. All routes but the bulk routes carry
 * JSON; payload travels by the bulk routes alone, and the coordinator serves no bulk route.
 */
public final class StoreRoutes {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  /**
   * Daemon to coordinator: I hold this replica. A repetition with the same publish id changes
   * nothing.
   */
  public static final Route<Register, Done> REGISTER = route("store-register", Register.class);

  /** Daemon to coordinator: I live, and these claims are still in use. */
  public static final Route<Heartbeat, Done> HEARTBEAT = route("store-beat", Heartbeat.class);

  /** Daemon to coordinator: this replica is gone. */
  public static final Route<Drop, Done> DROP = route("store-drop", Drop.class);

  /** Daemon to coordinator: claim a source for me. */
  public static final Route<Request, Answer> REQUEST =
      Route.of("store-request", codec(Request.class), codec(Answer.class));

  /** Daemon to coordinator: the claim has ended, one way or the other. */
  public static final Route<Complete, Done> COMPLETE = route("store-complete", Complete.class);

  /** Anyone to coordinator: the artifact of this key. A look-up claims nothing. */
  public static final Route<Named, Found> RESOLVE =
      Route.of("store-resolve", codec(Named.class), codec(Found.class));

  /** Anyone to coordinator: the manifest of an artifact. */
  public static final Route<Named, Manifest> MANIFEST =
      Route.of("store-manifest", codec(Named.class), codec(Manifest.class));

  /** Anyone to coordinator: all artifacts and their replicas. */
  public static final Route<Named, Listing> LIST =
      Route.of("store-list", codec(Named.class), codec(Listing.class));

  /** Client to daemon: have this artifact. Answers with progress, then with the result. */
  public static final Route<Materialize, Progress> MATERIALIZE =
      Route.of("store-materialize", codec(Materialize.class), codec(Progress.class));

  /** Bulk write to a daemon: a new artifact, with the header {@link #KEY}. */
  public static final Route<?, ?> PUT = Route.bytes("store-put");

  /** Bulk read from a daemon: bytes of a key of a replica, by the headers below. */
  public static final Route<?, ?> READ = Route.bytes("store-read");

  /** Header: the name under which an artifact can be found, or the key of a range. */
  static final String KEY = "key";

  /** Header: the content id. */
  static final String ARTIFACT = "artifact";

  /** Header: first byte, inside the range of the key. */
  static final String OFFSET = "offset";

  /** Header: the number of bytes. */
  static final String LENGTH = "length";

  private StoreRoutes() {}

  private static <T> JacksonCodec<T> codec(Class<T> type) {
    return JacksonCodec.of(MAPPER, type);
  }

  private static <Q> Route<Q, Done> route(String name, Class<Q> type) {
    return Route.of(name, codec(type), codec(Done.class));
  }

  /**
   * The message was taken.
   *
   * @param isKnown for a heartbeat: whether the coordinator knew the daemon before. If not, the
   *     coordinator has a new database, and the daemon registers its replicas again
   */
  public record Done(boolean isKnown) {}

  /**
   * A replica.
   *
   * @param publishId an id for each load; a second registration with the same id changes nothing
   * @param daemon the holder's address
   * @param key a name for the artifact, or null
   * @param ranges the bytes that others may read; a replica without ranges is known, but never
   *     offered
   * @param maxConcurrency the number of daemons that may read the replica at once
   */
  public record Register(
      String publishId,
      String daemon,
      @Nullable String key,
      Manifest manifest,
      MemoryKind kind,
      KeyedRanges ranges,
      int maxConcurrency) {}

  /**
   * A daemon lives.
   *
   * @param isAccepting whether others may begin to read from it
   * @param isLeaving whether this life of the daemon ends, or has ended: all its replicas are gone
   * @param transports the claims of the daemon that go on
   */
  public record Heartbeat(
      String daemon, boolean isAccepting, boolean isLeaving, List<String> transports) {}

  /**
   * A replica is gone.
   *
   * @param publishId the id of the load that made the replica: a replica loaded again since then
   *     stays
   */
  public record Drop(String publishId, String daemon, String artifact, MemoryKind kind) {}

  /**
   * A request for a claim.
   *
   * @param target the daemon that will read
   * @param notFrom the daemons that failed the target before
   */
  public record Request(String artifact, String target, List<String> notFrom) {}

  /** A claim, or null if no source is free now. */
  public record Answer(@Nullable Session session) {}

  /**
   * A claimed source.
   *
   * @param transport the id of the claim, to be completed
   * @param daemon the daemon to read from
   * @param ranges the keys and ranges of the daemon
   */
  public record Session(String transport, String daemon, KeyedRanges ranges) {}

  /**
   * A claim has ended.
   *
   * @param isCorrupt whether bytes came that do not match the artifact
   */
  public record Complete(String transport, boolean isCorrupt) {}

  /** A question with a name: a key or an artifact; empty for a listing. */
  public record Named(String name) {}

  /** The artifact of a key, or null. */
  public record Found(@Nullable String artifact) {}

  /** All artifacts known to the coordinator. */
  public record Listing(List<Artifact> artifacts) {}

  /** An artifact, its names, and its holders. */
  public record Artifact(String id, long sizeBytes, List<String> keys, List<Holder> holders) {}

  /** A replica as listed. */
  public record Holder(
      String daemon,
      MemoryKind kind,
      int ranges,
      int reads,
      int maxConcurrency,
      boolean isLive,
      int corruptReports) {}

  /** An artifact that a daemon shall hold. */
  public record Materialize(String artifact, MemoryKind kind, LoadMode mode) {}

  /**
   * The progress of a load; the last message says where the bytes came from.
   *
   * @param done the number of bytes in place
   * @param result the result at the end, null before
   */
  public record Progress(long done, long total, @Nullable Result result) {}

  /**
   * A load that ended well.
   *
   * @param how REUSED, COPIED, or LOADED
   * @param key the key for reads of the replica from its daemon
   * @param bytesFromPeers bytes that arrived from other daemons and were kept
   * @param bytesFromDisk bytes read from the disk origin
   * @param sources the daemons that gave bytes, in order
   * @param corruptChunks the number of refused chunks
   */
  public record Result(
      String how,
      String key,
      long bytesFromPeers,
      long bytesFromDisk,
      List<String> sources,
      int corruptChunks,
      long elapsedNs) {}
}
