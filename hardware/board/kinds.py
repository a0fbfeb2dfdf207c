"""What parts are bought: symbol, footprint, maker's number and an alternate of each kind.

Owns the choice of parts. Numbers of LCSC are those that open parts lists give beside the maker's
number (read in 2026), and are empty where none was found. Must not know where parts lie nor how
they are joined.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of part. `symbol` and `footprint` are names in KiCad's own libraries.

    `part_number` and `lcsc` are "" where they are unknown, and where nothing is bought, as for a
    test point. `alternate` fits on the same footprint.
    """

    symbol: str
    footprint: str
    value: str
    manufacturer: str = ""
    part_number: str = ""
    lcsc: str = ""
    alternate: "Kind | None" = None
    bought: bool = True


_R0402, _C0402 = "Resistor_SMD:R_0402_1005Metric", "Capacitor_SMD:C_0402_1005Metric"


def _resistor(value: str, code: str, other: str, lcsc: str) -> Kind:
    alternate = Kind("Device:R", _R0402, value, "Yageo", f"RC0402FR-07{other}L")
    return Kind("Device:R", _R0402, value, "UNI-ROYAL", f"0402WGF{code}TCE", lcsc, alternate)


MPR121 = Kind(
    "Sensor_Touch:MPR121QR2",
    "Package_DFN_QFN:UQFN-20_3x3mm_P0.4mm",
    "MPR121QR2",
    "NXP (rights now with Resurgent)",
    "MPR121QR2",
    "C91322",
)
CY8CMBR3116 = Kind(
    "Sensor_Touch:CY8CMBR3116",
    "Package_DFN_QFN:QFN-24-1EP_4x4mm_P0.5mm_EP2.6x2.6mm",
    "CY8CMBR3116",
    "Infineon",
    "CY8CMBR3116-LQXI",
)
MUX = Kind(
    "Interface_Expansion:TCA9548APWR",
    "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
    "TCA9548APWR",
    "Texas Instruments",
    "TCA9548APWR",
    "C130026",
    Kind(
        "Interface_Expansion:TCA9548APWR",
        "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
        "PCA9548APWR",
        "Texas Instruments",
        "PCA9548APWR",
    ),
)
LED = Kind(
    "LED:WS2812B-2020",
    "LED_SMD:LED_WS2812B-2020_PLCC4_2.0x2.0mm",
    "WS2812B-2020",
    "Worldsemi",
    "WS2812B-2020",
    "C965555",
    Kind(
        "LED:WS2812B-2020",
        "LED_SMD:LED_WS2812B-2020_PLCC4_2.0x2.0mm",
        "XL-2020RGBC-WS2812B",
        "XINGLIGHT",
        "XL-2020RGBC-WS2812B",
        "C5349955",
    ),
)
C100N = Kind(
    *("Device:C", _C0402, "100n", "Samsung", "CL05B104KO5NNNC", "C1525"),
    Kind("Device:C", _C0402, "100n", "Yageo", "CC0402KRX7R7BB104"),
)
C2N2 = Kind(
    *("Device:C", _C0402, "2.2n", "Samsung", "CL05B222KB5NNNC", ""),
    Kind("Device:C", _C0402, "2.2n", "Yageo", "CC0402KRX7R9BB222"),
)
C1U = Kind(
    *("Device:C", _C0402, "1u", "Samsung", "CL05A105KA5NQNC", "C52923"),
    Kind("Device:C", _C0402, "1u", "Murata", "GRM155R61E105KA12D"),
)
C10U = Kind(
    *("Device:C", "Capacitor_SMD:C_0805_2012Metric", "10u", "Samsung", "CL21A106KAYNNNE", "C15850"),
    Kind("Device:C", "Capacitor_SMD:C_0805_2012Metric", "10u", "Murata", "GRM21BR61E106KA73L"),
)
C470U = Kind("Device:C_Polarized", "Capacitor_SMD:CP_Elec_8x10", "470u 10V")
R75K = _resistor("75k", "7502", "75K", "C25798")
R10K = _resistor("10k", "1002", "10K", "C25744")
R5K1 = _resistor("5.1k", "5101", "5K1", "C25905")
R4K7 = _resistor("4.7k", "4701", "4K7", "C25900")
R2K2 = _resistor("2.2k", "2201", "2K2", "C25879")
R1K = _resistor("1k", "1001", "1K", "C11702")
R330 = _resistor("330", "3300", "330R", "C25104")
SHIFTER = Kind(
    *("74xGxx:74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5", "74AHCT1G125"),
    *("Texas Instruments", "SN74AHCT1G125DBVR", "C7484"),
    Kind(
        *("74xGxx:74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5", "74AHCT1G125"),
        *("Nexperia", "74AHCT1G125GV"),
    ),
)
TVS = Kind(
    *("Diode:SMAJ5.0A", "Diode_SMD:D_SMA", "SMAJ5.0A", "", "SMAJ5.0A", "C113952"),
    Kind("Diode:SMAJ5.0A", "Diode_SMD:D_SMA", "SMAJ5.0A", "", "SMAJ5.0A", "C2925443"),
)
ESD = Kind(
    *(
        "Power_Protection:SRV05-4",
        "Package_TO_SOT_SMD:SOT-23-6",
        "SRV05-4",
        "",
        "SRV05-4",
        "C85364",
    ),
    Kind(
        *("Power_Protection:SRV05-4", "Package_TO_SOT_SMD:SOT-23-6", "SRV05-4"),
        *("Littelfuse", "SRV05-4HTG-D"),
    ),
)
SCHOTTKY = Kind(
    *("Device:D_Schottky", "Diode_SMD:D_SMA", "SS34", "", "SS34"),
    alternate=Kind("Device:D_Schottky", "Diode_SMD:D_SMA", "B340A", "Diodes", "B340A-13-F"),
)
FUSE = Kind("Device:Fuse", "Fuse:Fuse_1206_3216Metric", "3A slow")
POLYFUSE = Kind(
    *("Device:Polyfuse", "Fuse:Fuse_1812_4532Metric", "1.5A hold", "Bourns", "MF-MSMF150/24X-2"),
    alternate=Kind(
        *("Device:Polyfuse", "Fuse:Fuse_1812_4532Metric", "1.5A hold", "Bourns", "MF-MSMF150-2"),
    ),
)
USB_C = Kind(
    "Connector:USB_C_Receptacle_USB2.0_16P",
    "Connector_USB:USB_C_Receptacle_HRO_TYPE-C-31-M-12",
    "USB-C",
    "HRO",
    "TYPE-C-31-M-12",
    "C165948",
)
PI_HEADER = Kind(
    *("Connector_Generic:Conn_02x20_Odd_Even", "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical"),
    "Raspberry Pi",
)
SOCKET = Kind(
    "Connector_Generic:Conn_01x20",
    "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical",
    "Pico",
)
BENCH_HEADER = Kind(
    "Connector_Generic:Conn_01x08",
    "Connector_PinHeader_2.54mm:PinHeader_1x08_P2.54mm_Vertical",
    "Bench",
)
BUTTON = Kind(
    "Switch:SW_Push",
    "Button_Switch_THT:SW_Tactile_SPST_Angled_PTS645Vx83-2LFS",
    "PTS645",
    "C&K",
    "PTS645VL832LFS",
    "C285525",
)
TEST_POINT = Kind(
    "Connector:TestPoint", "TestPoint:TestPoint_Pad_D1.5mm", "TestPoint", bought=False
)
HOLE = Kind("Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", "M3", bought=False)
