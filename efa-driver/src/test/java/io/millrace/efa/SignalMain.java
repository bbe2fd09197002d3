package io.millrace.efa;

import io.millrace.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The other process of {@link SignalSurvivalTest}: opens endpoints, then makes compiled code run
 * into null pointers, which the JVM notices by SIGSEGV. Arguments: providers.
 */
final class SignalMain {
  private static final int COMPILED_AFTER = 2_000_000;

  private SignalMain() {}

  /** Something with a field. */
  private static final class Box {
    int value;
  }

  public static void main(String[] providers) throws DriverException {
    List<Peer> peers = new ArrayList<>();
    for (String provider : providers) {
      peers.add(Peer.open(provider));
      peers.add(Peer.open(provider));
    }
    Box box = new Box();
    long sum = 0;
    for (int i = 0; i < COMPILED_AFTER; i++) {
      sum += read(box);
    }
    int survived = 0;
    for (int i = 0; i < 3; i++) {
      try {
        sum += read(null);
      } catch (NullPointerException e) {
        survived++;
      }
    }
    peers.forEach(Peer::close);
    System.out.println("survived " + survived + " with " + sum);
  }

  @SuppressWarnings("NullAway") // running into the null pointer is the point
  private static int read(@Nullable Box box) {
    return box.value;
  }
}
