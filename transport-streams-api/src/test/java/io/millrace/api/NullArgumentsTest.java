package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.event.SubscriptionOptions;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.DependencyKind;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each public method of the API refuses null at the call, and names the argument. */
@Timeout(60)
final class NullArgumentsTest {
  /** The name of an argument alone; the JVM's own messages are sentences. */
  private static final Pattern NAME = Pattern.compile("[a-zA-Z]+");

  private static final Map<Class<?>, Object> VALUES =
      Map.ofEntries(
          Map.entry(Route.class, Route.bytes("nulls")),
          Map.entry(Object.class, ByteString.emptyByteString()),
          Map.entry(ByteString.class, ByteString.emptyByteString()),
          Map.entry(TransferOptions.class, TransferOptions.DEFAULTS),
          Map.entry(ServeOptions.class, ServeOptions.DEFAULTS),
          Map.entry(SubscriptionOptions.class, SubscriptionOptions.DEFAULTS),
          Map.entry(FileOptions.class, FileOptions.DEFAULT),
          Map.entry(Headers.class, Headers.EMPTY),
          Map.entry(Protection.class, Protection.SEALED),
          Map.entry(DependencyKind.class, DependencyKind.CRITICAL),
          Map.entry(Duration.class, Duration.ofMillis(1)),
          Map.entry(String.class, "127.0.0.1:9"),
          Map.entry(List.class, List.of()),
          Map.entry(byte[].class, new byte[1]),
          Map.entry(int.class, 1),
          Map.entry(long.class, 0L),
          Map.entry(boolean.class, true),
          Map.entry(MemorySegment.class, MemorySegment.ofArray(new byte[1])),
          Map.entry(Path.class, Path.of("nulls")));

  private final TreeSet<String> faults = new TreeSet<>();
  private int calls;

  private static @Nullable Object value(Class<?> type) {
    if (type == BodySource.class) {
      return BulkSource.of(new byte[0]);
    }
    if (type == BodyTarget.class) {
      return BulkTarget.into(new byte[0]);
    }
    Object known = VALUES.get(type);
    if (known == null && type.isInterface()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
    }
    return known;
  }

  private void check(Class<?> type, @Nullable Object of) throws IllegalAccessException {
    for (Method method : type.getDeclaredMethods()) {
      boolean isCallable =
          Modifier.isPublic(method.getModifiers())
              && !method.isSynthetic()
              && (of != null || Modifier.isStatic(method.getModifiers()))
              && !method.getName().equals("equals");
      for (int i = 0; isCallable && i < method.getParameterCount(); i++) {
        if (!method.getParameterTypes()[i].isPrimitive()) {
          check(method, of, i);
        }
      }
    }
  }

  private void check(Method method, @Nullable Object of, int nulled) throws IllegalAccessException {
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Class<?> parameter : method.getParameterTypes()) {
      arguments.add(value(parameter));
    }
    arguments.set(nulled, null);
    calls++;
    String what = "nothing";
    try {
      method.invoke(of, arguments.toArray());
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      boolean isClear =
          thrown instanceof IllegalArgumentException
              || thrown instanceof NullPointerException
                  && NAME.matcher(String.valueOf(thrown.getMessage())).matches();
      what = isClear ? "" : String.valueOf(thrown);
    }
    if (!what.isEmpty()) {
      faults.add(method + " with null at " + nulled + ": " + what);
    }
  }

  @Test
  void shouldNameTheArgumentThatIsNull() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      check(Peer.class, nodes.peer());
      check(Transport.class, nodes.client());
      check(Transport.Builder.class, Transport.builder(TransportSettings.parse("")));
      check(Route.class, null);
      check(TransferOptions.class, TransferOptions.DEFAULTS);
      check(ServeOptions.class, ServeOptions.DEFAULTS);
      check(Destination.class, Destination.of(nodes.peer()));
      check(BulkSource.class, null);
      check(BulkTarget.class, null);
      check(BulkStreams.class, null);
      assertEquals(new TreeSet<>(), faults);
      assertTrue(calls > 100, "only " + calls + " calls");
    }
  }
}
