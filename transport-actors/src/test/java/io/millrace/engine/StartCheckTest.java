package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.NicPlaces;
import io.millrace.config.TransportSettings;
import io.millrace.event.RecordingEvents;
import io.millrace.loop.Machine;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node tells the lacks of its machine before the node starts. */
class StartCheckTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTellThatNoNicWasFound(boolean isSearchVain) {
    TransportSettings base = TransportSettings.defaults();
    NicPlaces places = base.nic().places();
    NicPlaces searched =
        new NicPlaces(places.drivers(), places.address(), List.of(), places.pins(), isSearchVain);
    TransportSettings settings =
        new TransportSettings(
            base.handshake(),
            base.workers(),
            base.nic().withPlaces(searched),
            base.limits(),
            base.recovery(),
            base.crypto(),
            base.scheduler(),
            base.transfers(),
            base.regions(),
            base.streams());
    RecordingEvents events = new RecordingEvents(10);

    StartCheck.tell(settings, Machine.unknown(), List::of, events);

    String told =
        "ResourceMissing resource=NICs reason=nics = auto found no interface that is up and leads"
            + " away from this host mode=the address of the block nic is used: 127.0.0.1";
    assertEquals(isSearchVain ? List.of(told) : List.of(), events.lines());
  }
}
