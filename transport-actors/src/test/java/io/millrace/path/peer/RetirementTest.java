package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.PeerIdentity;
import io.millrace.body.ArraySource;
import io.millrace.body.BodyServices;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ForwardingAead;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.PathSecret;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two real sides of a path inform each other of ended keys, over a network of the test's. */
class RetirementTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId STORE = RouteId.of("store");
  private static final long STEP_NS = 100_000;
  private static final int MANY_TURNS = 2_000;
  private static final String CONTROL = "millrace.crypto.packets-per-key = 16\n";
  private static final String DATA = "millrace.crypto.data-keys.records-per-key = 4\n";
  private static final String OFF = "millrace.crypto.retire = off\n";

  private AeadProvider aead = AeadProviders.discover().select(0);
  private WorkerLab client;
  private WorkerLab server;
  private PathCounters ofClient;
  private PathCounters ofServer;
  private PeerPath atClient;
  private PeerPath atServer;
  private PeerLink link;

  /** The test for lost datagrams of the client. */
  private Predicate<byte[]> isLost = datagram -> false;

  private final List<byte[]> retirements = new ArrayList<>();
  private final List<byte[]> others = new ArrayList<>();

  @BeforeEach
  void openWithUsualSettings() throws Exception {
    open("");
  }

  private void open(String settings) throws Exception {
    client = lab(settings);
    server = lab(settings);
    ofClient = client.services.context().counters();
    ofServer = server.services.context().counters();
    link = client.link(1);
    atClient = client.open(link, 1, true);
    atServer = server.open(server.link(1), 1, false);
    server.routes.add(
        ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    server.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) ->
            CompletableFuture.completedFuture(new Nowhere()));
  }

  private WorkerLab lab(String settings) {
    return new WorkerLab(new FakeEndpoint(64, 16), settings, aead, 64);
  }

  /** Keys with the largest limits, the keys of retirements, may seal two packets. */
  private static final class Exhausted extends ForwardingAead {
    private Exhausted() {
      super(AeadProviders.discover().select(0));
    }

    @Override
    public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
      boolean isOfRetirements = use == CipherUse.SEAL && limits.equals(KeyLimits.DEFAULT);
      return super.cipher(key, use, isOfRetirements ? new KeyLimits(2, 1 << 20) : limits);
    }
  }

  private static boolean isRetirement(byte[] datagram) {
    return PacketHeader.isRetirement(new SegmentBuffer(datagram), 0, datagram.length);
  }

  private static int keyId(byte[] datagram) {
    return PacketHeader.keyId(new SegmentBuffer(datagram), 0);
  }

  private void turns(int turns) {
    for (int i = 0; i < turns; i++) {
      client.turns(1, STEP_NS);
      for (byte[] datagram : client.endpoint.sent) {
        (isRetirement(datagram) ? retirements : others).add(datagram);
        if (!isLost.test(datagram)) {
          server.endpoint.arrivals.add(datagram);
        }
      }
      client.endpoint.sent.clear();
      server.turns(1, STEP_NS);
      client.endpoint.arrivals.addAll(server.endpoint.sent);
      server.endpoint.sent.clear();
    }
  }

  private void call(int calls) {
    for (int i = 0; i < calls; i++) {
      TestCall call = new TestCall(link, ECHO.id(), 10);
      end(call);
      turns(10);
    }
  }

  private void store(int bytes) {
    TestCall call =
        new TestCall(link, STORE.id(), 3, new byte[0], new ArraySource(new byte[bytes], 0, bytes));
    end(call);
  }

  private void end(TestCall call) {
    link.onCall(call, client.nowNs);
    for (int i = 0; i < MANY_TURNS && call.outcome == null; i++) {
      turns(1);
    }
    assertEquals(CallOutcome.OK, call.outcome, call.text);
  }

  private long dataKeysRetired() {
    return server.services.context().bodies().dataKeysRetired();
  }

  private int newestKeyId() {
    return keyId(others.getLast());
  }

  private void arrive(byte[] datagram) {
    server.endpoint.arrivals.add(datagram.clone());
    server.turns(1, STEP_NS);
  }

  @Test
  void shouldRefuseAControlKeyThatIsRetiredAndTakeItBefore() throws Exception {
    open(CONTROL);
    call(1);
    List<byte[]> late = new ArrayList<>();
    isLost = datagram -> keyId(datagram) == 0 && late.size() < 2 && late.add(datagram);
    call(2);
    assertEquals(2, late.size());
    isLost = RetirementTest::isRetirement;
    call(20);
    assertTrue(newestKeyId() > 0);

    long received = ofServer.packetsReceived;
    arrive(late.get(0));
    assertEquals(received + 1, ofServer.packetsReceived, "an old key is accepted");
    arrive(retirements.getLast());
    assertEquals(1, ofServer.controlKeysRetired);
    arrive(late.get(1));
    assertEquals(received + 1, ofServer.packetsReceived);
    assertEquals(1, ofServer.unknownKeys);
    isLost = datagram -> false;
    call(20);
    assertEquals(1, ofServer.unknownKeys, "what is under way is not retired");
  }

  @Test
  void shouldTakeNoForgedRetirementAndEachOnce() throws Exception {
    open(CONTROL);
    isLost = RetirementTest::isRetirement;
    call(20);
    byte[] right = retirements.getLast();
    long dropped = ofServer.datagramsDropped;
    long failures = ofServer.authenticationFailures;
    for (int at = PacketHeader.LENGTH - 1; at < right.length; at++) {
      byte[] forged = right.clone();
      forged[at] ^= 0x10;
      arrive(forged);
      assertEquals(++failures, ofServer.authenticationFailures, "byte " + at);
    }
    byte[] ofData = right.clone();
    ofData[1] = PacketHeader.OF_DATA_KEYS;
    arrive(ofData);
    assertEquals(++failures, ofServer.authenticationFailures);
    for (int length = 0; length < right.length; length++) {
      arrive(Arrays.copyOf(right, length));
    }
    assertEquals(0, ofServer.retirementsReceived);
    assertEquals(0, ofServer.controlKeysRetired);
    assertTrue(ofServer.datagramsDropped > dropped);

    arrive(right);
    assertEquals(1, ofServer.controlKeysRetired);
    long duplicates = ofServer.duplicatesDropped;
    arrive(right);
    arrive(retirements.getFirst());
    assertEquals(1, ofServer.retirementsReceived);
    assertEquals(duplicates + 2, ofServer.duplicatesDropped, "again, and an older one");
    assertTrue(server.faults.isEmpty() && server.ended.isEmpty());
    isLost = datagram -> false;
    call(5);
  }

  @Test
  void shouldRetireAControlKeyOnceAllUnderItHasArrived() throws Exception {
    open(CONTROL);
    call(3);
    int held = others.size();
    isLost = datagram -> keyId(datagram) == 0 && !isRetirement(datagram);
    TestCall late = new TestCall(link, ECHO.id(), 10);
    link.onCall(late, client.nowNs);
    turns(2);
    assertEquals(held + 1, others.size());
    assertEquals(0, newestKeyId());
    while (newestKeyId() == 0) {
      link.onCall(new TestCall(link, ECHO.id(), 10), client.nowNs);
      turns(1);
    }
    // No packet under key 0 arrives any more, and until the loss of the call's packet the sender
    // retires no key.
    assertEquals(0, ofClient.retirementsSent);
    turns(MANY_TURNS);
    assertEquals(CallOutcome.OK, late.outcome);
    assertTrue(ofClient.retirementsSent > 0);
    assertEquals(ofClient.retirementsSent, ofServer.retirementsReceived);
    assertTrue(ofServer.controlKeysRetired > 0);
  }

  @Test
  void shouldRetireDataKeysThatWereReplacedWhenTheirRecordsAreTakenOver() throws Exception {
    open(DATA);
    store(1 << 20);
    turns(500);
    assertEquals(3, dataKeysRetired(), "of four keys, the last goes on");
    assertEquals(1, ofClient.retirementsSent, "all in one datagram");
    store(256 << 10);
    turns(500);
    assertEquals(4, dataKeysRetired());
  }

  @Test
  void shouldForgetOldControlKeysOfAPeerThatRetiresNone() throws Exception {
    open(CONTROL + OFF + "millrace.crypto.old-key-ttl = 1s\n");
    call(1);
    List<byte[]> late = new ArrayList<>();
    isLost = datagram -> keyId(datagram) == 0 && late.size() < 2 && late.add(datagram);
    call(20);
    assertEquals(1, newestKeyId());
    long received = ofServer.packetsReceived;
    server.turns(9, 100_000_000);
    arrive(late.get(0));
    assertEquals(received + 1, ofServer.packetsReceived, "within its time");
    server.turns(2, 100_000_000);
    arrive(late.get(1));
    assertEquals(received + 1, ofServer.packetsReceived);
    assertEquals(1, ofServer.unknownKeys, "after its time");
  }

  @Test
  void shouldForgetDataKeysThatNobodyUses() throws Exception {
    // Each side's time goes on alone, for less than the lifetime of a path: the end of the path
    // would end the keys.
    open(
        """
        millrace.recovery.fail-after = 3s
        millrace.crypto.data-keys { sender-ttl = 1s, receiver-ttl = 2s }
        """);
    store(1 << 20);
    BodyServices sender = client.services.context().bodies();
    BodyServices receiver = server.services.context().bodies();
    client.turns(9, 100_000_000);
    assertEquals(2, sender.dataKeysKept(), "a key and its schedule");
    client.turns(7, 100_000_000);
    assertEquals(0, sender.dataKeysKept());
    server.turns(17, 100_000_000);
    assertEquals(1, receiver.dataKeysKept(), "longer than its sender");
    server.turns(10, 100_000_000);
    assertEquals(0, receiver.dataKeysKept());
    assertEquals(0, dataKeysRetired());
  }

  @Test
  void shouldRetireDataKeysAfterThePathHasChangedItsSecret() throws Exception {
    open(DATA);
    store(1 << 10);
    byte[] secret = new byte[PathSecret.LENGTH];
    secret[0] = 1;
    long before = atClient.wireId();
    atServer
        .packets()
        .renewal()
        .install(new PathSecret(secret), false, PeerIdentity.ofPreSharedKey("x"));
    atClient
        .packets()
        .renewal()
        .install(new PathSecret(secret), true, PeerIdentity.ofPreSharedKey("x"));
    turns(100);
    assertNotEquals(before, atClient.wireId());
    assertEquals(atClient.wireId(), atServer.wireId());
    store(1 << 20);
    turns(500);
    assertTrue(dataKeysRetired() > 0);
  }

  @Test
  void shouldRotateControlKeysAndDataKeysApart() throws Exception {
    open(CONTROL);
    store(1 << 20);
    turns(500);
    assertTrue(newestKeyId() > 0);
    assertEquals(0, dataKeysRetired());
    open(DATA);
    store(1 << 20);
    turns(500);
    assertEquals(0, newestKeyId());
    assertEquals(3, dataKeysRetired());
  }

  @Test
  void shouldRetireNoMoreOnceItsOwnKeyHasSealedAllItMay() throws Exception {
    aead = new Exhausted();
    open(CONTROL + DATA);
    call(100);
    store(1 << 20);
    turns(500);
    assertTrue(newestKeyId() > 4);
    assertEquals(2, retirements.size());
    assertEquals(2, ofServer.retirementsReceived);
    assertTrue(client.faults.isEmpty() && client.ended.isEmpty());
    call(20);
  }

  @Test
  void shouldGoOnWithTheLeastThatAKeyMaySeal() throws Exception {
    open("millrace.crypto { packets-per-key = 2, data-keys { bytes-per-key = 256 KiB } }\n");
    store(1 << 20);
    call(50);
    turns(500);
    assertTrue(newestKeyId() > 50);
    assertEquals(3, dataKeysRetired());
    assertEquals(0, ofServer.authenticationFailures + ofClient.authenticationFailures);
    assertTrue(client.faults.isEmpty() && server.faults.isEmpty());
  }

  @Test
  void shouldTellNothingIfThatIsNotWanted() throws Exception {
    open(CONTROL + DATA + OFF);
    store(1 << 20);
    call(30);
    turns(MANY_TURNS);
    assertTrue(newestKeyId() > 2);
    assertEquals(List.of(), retirements);
    assertEquals(0, ofClient.retirementsSent + ofServer.retirementsReceived);
    assertEquals(0, dataKeysRetired());
  }

  /** Takes all bytes and keeps no byte. */
  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {}
  }
}
