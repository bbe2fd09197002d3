package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NicListTest {
  private static TransportSettings parse(String nics) {
    return TransportSettings.parse("millrace.nics = " + nics);
  }

  private static String problem(String overrides) {
    return String.valueOf(
        assertThrows(SettingsException.class, () -> TransportSettings.parse(overrides))
            .getMessage());
  }

  @Test
  void shouldHaveNoListByDefault() {
    TransportSettings defaults = TransportSettings.defaults();
    assertEquals(List.of(), defaults.nic().places().nics());
    assertEquals(1, defaults.workers().count());
  }

  @ParameterizedTest
  @CsvSource({"auto, true", "[], false"})
  void shouldRememberThatASearchWasVain(String nics, boolean isVain) {
    Config config = ConfigFactory.parseString("nics = " + nics);
    Config nic = ConfigFactory.parseString("driver = udp, address = \"127.0.0.1:0\"");
    Config root = config.withValue("peers", ConfigValueFactory.fromIterable(List.of()));
    NicPlaces places =
        NicPlaces.of(new Section("nic", nic), new Section("millrace", root), List.of());
    assertEquals(isVain, places.isSearchVain());
    assertEquals(isVain, places.withDriver("efa").withAddress("127.0.0.1:1").isSearchVain());
  }

  @Test
  void shouldReadEachNicAndTakeTheRestFromTheBlock() {
    TransportSettings read =
        parse(
            "[{name = a, driver = [\"fabric:tcp\", udp], address = \"127.0.0.1:0\", workers = 2,"
                + " cores = [3, 5], bandwidth = 100 Gbit/s}, {address = \"127.0.0.2:9000\", cores ="
                + " [7]}]");
    NicEntry first = read.nic().places().nics().getFirst();
    assertEquals("a", first.name());
    assertEquals(List.of("fabric:tcp", "udp"), first.drivers());
    assertEquals(100_000_000_000L, first.bitsPerSecond());
    NicEntry second = read.nic().places().nics().getLast();
    assertEquals("nic1", second.name());
    assertEquals(List.of("auto"), second.drivers());
    assertEquals(9_000, second.address().getPort());
    assertEquals(3, read.workers().count());
    assertEquals(List.of(3, 5, 7), read.workers().cores().ids());
  }

  @ParameterizedTest
  @CsvSource({"auto, auto", "udp, udp", "'[\"fabric:shm\", efa, udp]', 'fabric:shm, efa, udp'"})
  void shouldReadTheDriversOfTheBlockForEachNic(String value, String names) {
    TransportSettings read =
        TransportSettings.parse(
            "millrace { nic.driver = " + value + ", nics = [{address = \"127.0.0.1:0\"}] }");
    List<String> expected = List.of(names.split(", "));
    assertEquals(expected, read.nic().drivers());
    assertEquals(expected, read.nic().places().nics().getFirst().drivers());
    assertEquals(List.of("udp"), read.withDriver("udp").nic().drivers());
  }

  @Test
  void shouldRefuseADriverThatIsNoNameAndNoListOfNames() {
    assertTrue(problem("millrace.nic.driver = []").contains("names no driver"));
    assertEquals(
        "configuration key 'millrace.nic.driver' takes a name, or a list such as"
            + " [\"fabric:shm\", udp], not the text 'fabric:shm,udp'; a property of the JVM holds"
            + " no list: -Dmillrace.nic.driver.0=fabric:shm, and so on",
        problem("millrace.nic.driver = \"fabric:shm,udp\""));
    assertEquals(
        "configuration key 'millrace.nics[0].driver' takes a name, or a list such as"
            + " [\"fabric:shm\", udp], not the text 'efa,udp'",
        problem("millrace.nics = [{address = \"127.0.0.1:0\", driver = \"efa,udp\"}]"));
    assertTrue(problem("millrace.nic.driver = { a = 1 }").contains("millrace.nic.driver"));
  }

  @Test
  void shouldReadRatesOfEachNicAndTakeTheRestFromTheBlock() {
    TransportSettings read =
        TransportSettings.parse(
            """
            millrace.nic {
              bandwidth = 10 Gbit/s, queue = 1 MiB, receive-rate = 8 Gbit/s
              send-rate = 9 Gbit/s, flow-rate = 5 Gbit/s, source-ports = 2
            }
            millrace.nics = [
              {name = a, address = "127.0.0.1:0"}
              {name = b, address = "127.0.0.1:0", bandwidth = 1 Gbit/s, queue = 64 KiB
               receive-rate = 800 Mbit/s, send-rate = 900 Mbit/s}
              {name = c, address = "127.0.0.1:0", send-rate = unlimited}
            ]\
            """);
    List<NicEntry> nics = read.nic().places().nics();
    assertEquals(read.nic().rates(), nics.getFirst().rates());
    long mega = 1_000_000;
    assertEquals(
        new NicRates(
            new SendRateSettings(900 * mega, 5_000 * mega, 2),
            new LinkSettings(1_000 * mega, 64 << 10, 800 * mega)),
        nics.get(1).rates());
    assertEquals(0, nics.get(2).rates().send().bitsPerSecond());
    assertEquals(read.nic().link(), nics.get(2).rates().link());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{name = a, adress = x}]|millrace.nics[0].adress",
        "[{name = nosuchnic0}]|names no network interface of this system: 'nosuchnic0'",
        "[{name = a, address = \"127.0.0.1:0\"}, {name = a, address = \"127.0.0.1:0\"}]|given"
            + " twice: a",
        "[{address = \"127.0.0.1:0\", workers = 0}]|leaves this node without a worker",
        "[{address = \"127.0.0.1:0\", workers = 2, cores = [1]}]|one core for each of its 2"
            + " workers",
        "some|must be a list, or auto, not 'some'"
      })
  void shouldNameWhatIsWrong(String nics, String words) {
    String message = problem("millrace.nics = " + nics);
    assertTrue(message.contains(words), message);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.9.8.7:7400, true",
    "10.0.0.0/8, 11.0.0.1:7400, false",
    "10.1.2.3, 10.1.2.3:1, true",
    "10.1.2.3:7400, 10.1.2.3:7401, false",
    "fd00::/8, [fd00:0:0:0:0:0:0:2]:7400, true",
    "0.0.0.0/0, [fd00:0:0:0:0:0:0:2]:7400, false"
  })
  void shouldFindThePeersThatAPinIsFor(String address, String peer, boolean isFor) {
    TransportSettings read =
        TransportSettings.parse(
            "millrace.peers = [{address = \"" + address + "\", drivers = [udp]}]");
    PeerPin pin = read.nic().places().pins().getFirst();
    assertEquals(isFor, pin.isFor(peer));
    assertFalse(pin.mayFallBack());
  }

  @Test
  void shouldRefuseAPinThatNamesNothing() {
    assertTrue(
        problem("millrace.peers = [{address = \"10.0.0.0/99\", drivers = [udp]}]")
            .contains("must be like 10.0.0.0/8"));
    assertTrue(
        problem("millrace.peers = [{address = \"10.0.0.1\", drivers = []}]")
            .contains("names no driver"));
  }

  @Test
  void shouldRefuseALongestHoldThatIsShorterThanTheFirst() {
    assertTrue(
        problem("millrace.nic.failover { first-hold = 2 s, longest-hold = 1 s }")
            .contains("at least as long as first-hold"));
  }

  @Test
  void shouldReadTheWaitsForPeersThatAreNotReady() {
    assertEquals(
        new NicSettings.UnreadyPeers(3, 50_000L, 1_000_000_000L),
        TransportSettings.defaults().nic().notReady());
    String other = "{ device-retries = 7, first-wait = 1 ms, longest-wait = 2 ms }";
    assertEquals(
        new NicSettings.UnreadyPeers(7, 1_000_000L, 2_000_000L),
        TransportSettings.parse("millrace.nic.not-ready = " + other).nic().notReady());
    assertTrue(
        problem("millrace.nic.not-ready { first-wait = 2 ms, longest-wait = 1 ms }")
            .contains("at least as long as first-wait"));
  }
}
