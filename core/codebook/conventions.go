package codebook

import "hush/core/phrase"

// The conventions, in the order in which they are tried, narrower names first. Words are whole
// words of the header in small letters, in English, German, French, Spanish, Italian, Portuguese
// and Dutch if they have only one meaning; phrases are separated by commas.

// span is a public range.
type span struct{ lo, hi string }

// inUnit holds the ranges in units other than the convention's own.
type inUnit struct {
	units []string
	spans []span
	step  string // for decimals; empty: the convention's
}

// convention states what numbers under a name mean.
type convention struct {
	words  string
	reason phrase.Key
	unit   string // "": without one
	step   string // for decimals; empty: whole numbers by nature
	spans  []span // the likeliest first
	others []inUnit
	any    bool // whatever the unit
	coded  bool // even beside a word such as "code" or "group"
}

// coded lists words that make a name stand for a label of something and not for its amount.
const coded = "id,ids,uuid,code,codes,group,groups,band,bracket,bin,category,type,label,key,hash," +
	"url,gruppe,klasse,tranche,groupe,grupo,gruppo,categoria,categoría,catégorie,groep"

const countWords = "count,counts,frequency,freq,qty,quantity,anzahl,häufigkeit,haeufigkeit,menge," +
	"effectif,frecuencia,cantidad,frequenza,quantità,quantidade,aantal,n"

// personStems are words for a person in the name of a column; German compounds too.
const personStems = "person,patient,user,customer,client,member,student,pupil,employee,subject," +
	"participant,respondent,household,account,worker,visitor,resident,donor,learner," +
	"personen,personal,patienten,patientin,kunde,kunden,mitglied,mitglieds,nutzer,benutzer," +
	"teilnehmer,versicherten,schüler,schueler,mitarbeiter,proband,probanden,klient,klienten," +
	"einwohner,besucher,personne,usager,utilisateur,adhérent,membre,élève,étudiant,salarié," +
	"assuré,persona,paciente,cliente,usuario,socio,alumno,estudiante,empleado,afiliado,paziente," +
	"utente,studente,dipendente,assistito,pessoa,usuário,aluno,funcionário,persoon,patiënt,klant," +
	"gebruiker,lid,leerling,medewerker,deelnemer,cliënt"

// numberWords stand before or behind a stem, or close a compound: "patient no", "id_client",
// "Kundennummer".
const numberWords = "id,nr,no,number,num,nummer,code,key,ref,numéro,número,numero,kennung," +
	"pseudonym,hash"

// personNames stand for a person as the whole name of a column.
const personNames = "id,pid,uid,persnr,patnr,patid,kdnr,ssn,nhs number,national id,bsn,cpf,dni," +
	"nir,codice fiscale,email,e mail,email address,steuer id,social security number," +
	"sozialversicherungsnummer,versichertennummer"

const dateWords = "date,dates,dob,datum,geburtsdatum,fecha,data nascimento,data de nascimento," +
	"data di nascita"

const birthWords = "birth,dob,born,geburtsdatum,naissance,nacimiento,nascita,nascimento,geboorte"

// currencies lists the currencies in which amounts are about as large as in dollars.
var currencies = []string{"EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD"}

var ranges = []convention{
	{
		words: "count,counts,qty,quantity,anzahl,nombre de,número de,numero de,numero di,aantal," +
			"number of,no of,nr of,num,cantidad,quantità,quantidade,frequency,effectif",
		reason: "a round range for counts", any: true, coded: true,
		spans: []span{{"0", "10"}, {"0", "100"}, {"0", "1000"}, {"0", "10000"}, {"0", "1000000"}},
	},
	{
		words: "percent,percentage,pct,%,percentile,prozent,prozentsatz,pourcentage,porcentaje," +
			"percentuale,porcentagem,percentagem,procent",
		reason: "by convention for percentages", unit: "%", step: "0.1",
		spans: []span{{"0", "100"}},
	},
	{
		words: "birth year,year of birth,birthyear,yob,geburtsjahr,année de naissance," +
			"geboortejaar",
		reason: "by convention for years of birth",
		spans:  []span{{"1900", "2100"}, {"1900", "2030"}},
	},
	{
		words:  "day of year,doy",
		reason: "by convention for days of the year", spans: []span{{"1", "366"}},
	},
	{
		words: "years of experience,years experience,years at,years in,years with,years since," +
			"tenure,berufsjahre,dienstjahre",
		reason: "by convention for years of work", unit: "years", step: "0.1",
		spans: []span{{"0", "50"}, {"0", "100"}},
	},
	{
		words:  "hours per week,weekly hours,hours week,wochenstunden",
		reason: "a week has 168 hours", unit: "hours", step: "0.1",
		spans: []span{{"0", "168"}, {"0", "100"}},
	},
	{
		words:  "gestational age,gestation",
		reason: "by convention for weeks of pregnancy", unit: "weeks", step: "0.1",
		spans:  []span{{"0", "45"}},
		others: []inUnit{{[]string{"days"}, []span{{"0", "315"}}, ""}},
	},
	{
		words: "age,ages,lebensalter,alter,âge,edad,età,idade,leeftijd",
		unit:  "years", reason: "by convention for ages", spans: []span{{"0", "120"}, {"0", "100"}},
		others: []inUnit{{[]string{"Jahre", "ans"}, []span{{"0", "120"}, {"0", "100"}}, ""}},
	},
	{
		words: "rating,ratings,stars,bewertung,calificación,valoración,valutazione,avaliação," +
			"beoordeling",
		reason: "by convention for ratings", step: "0.01",
		spans:  []span{{"0", "5"}, {"1", "5"}, {"0", "10"}},
		others: []inUnit{{[]string{"stars"}, []span{{"0", "5"}, {"1", "5"}, {"0", "10"}}, ""}},
	},
	{
		words: "year,jahr,année,annee,año,ano,anno,jaar", reason: "by convention for years",
		spans: []span{{"1900", "2100"}, {"1800", "2100"}, {"2000", "2100"}},
	},
	{
		words: "month,monat,mois,mes,mês,mese,maand", reason: "by convention for months",
		spans: []span{{"1", "12"}},
	},
	{
		words: "quarter,quartal,trimestre,kwartaal", reason: "by convention for quarters",
		spans: []span{{"1", "4"}},
	},
	{
		words:  "hour,stunde,heure,hora,uur",
		reason: "by convention for hours of the day", spans: []span{{"0", "23"}},
	},
	{words: "minute", reason: "an hour has 60 minutes", spans: []span{{"0", "59"}}},
	{
		words:  "hours,stunden,heures,horas,uren",
		reason: "a round range for hours", unit: "hours", step: "0.1",
		spans: []span{{"0", "24"}, {"0", "168"}, {"0", "1000"}},
	},
	{
		words: "week,kalenderwoche,semaine,semana,settimana", reason: "by convention for weeks",
		spans: []span{{"1", "53"}},
	},
	{
		words: "day,jour,día,giorno,dag", reason: "by convention for days of the month",
		spans: []span{{"1", "31"}},
	},
	{
		words: "days,tage,jours,días,giorni,dagen", reason: "a round range for days", unit: "days",
		spans: []span{{"0", "31"}, {"0", "366"}, {"0", "1000"}},
	},
	{
		words: "probability,prob,proportion,fraction,wahrscheinlichkeit,anteil,probabilité," +
			"probabilidad,probabilità,probabilidade,kans",
		reason: "by convention for shares", step: "0.001", spans: []span{{"0", "1"}},
		others: []inUnit{{[]string{"%"}, []span{{"0", "100"}}, "0.1"}},
	},
	{
		words: "latitude,lat,breitengrad,latitud,latitudine,breedtegraad", unit: "°",
		reason: "by convention for latitudes", step: "0.01", spans: []span{{"-90", "90"}},
	},
	{
		words: "longitude,lon,lng,längengrad,laengengrad,longitudine,lengtegraad", unit: "°",
		reason: "by convention for longitudes", step: "0.01", spans: []span{{"-180", "180"}},
	},
	{
		words: "body temperature,body temp,körpertemperatur,koerpertemperatur", unit: "°C",
		reason: "by convention for body temperatures", step: "0.1", spans: []span{{"30", "45"}},
		others: []inUnit{{[]string{"°F"}, []span{{"85", "115"}}, ""}},
	},
	{
		words: "temperature,temp,temperatur,température,temperatura,temperatuur", unit: "°C",
		reason: "by convention for the weather", step: "0.1",
		spans:  []span{{"-50", "60"}, {"-20", "50"}},
		others: []inUnit{{[]string{"°F"}, []span{{"-60", "140"}, {"0", "120"}}, ""}},
	},
	{
		words: "humidity,luftfeuchtigkeit,humidité,humedad,umidità,umidade", unit: "%",
		reason: "by convention for percentages", step: "0.1", spans: []span{{"0", "100"}},
	},
	{
		words: "birth weight,birthweight,geburtsgewicht", unit: "g", step: "1",
		reason: "by convention for birth weights", spans: []span{{"0", "8000"}},
		others: []inUnit{
			{[]string{"kg"}, []span{{"0", "8"}}, "0.01"},
			{[]string{"lb"}, []span{{"0", "18"}}, "0.1"},
		},
	},
	{
		words: "weight,gewicht,körpergewicht,koerpergewicht,poids,peso", unit: "kg", step: "0.1",
		reason: "by convention for the weight of people", spans: []span{{"0", "300"}, {"0", "200"}},
		others: []inUnit{{[]string{"lb"}, []span{{"0", "700"}, {"0", "500"}}, ""}},
	},
	{
		words: "height,stature,körpergröße,koerpergroesse,körpergrösse,altura,estatura,altezza," +
			"statura,lichaamslengte",
		unit: "cm", step: "0.1",
		reason: "by convention for the height of people",
		spans:  []span{{"0", "250"}, {"50", "250"}},
		others: []inUnit{
			{[]string{"m"}, []span{{"0", "2.5"}}, "0.01"},
			{[]string{"in"}, []span{{"0", "100"}}, ""},
			{[]string{"ft"}, []span{{"0", "9"}}, ""}, {[]string{"mm"}, []span{{"0", "2500"}}, ""},
		},
	},
	{
		words: "bmi,imc", unit: "kg/m²", step: "0.1",
		reason: "by convention for the body mass index",
		spans:  []span{{"0", "100"}, {"10", "60"}},
	},
	{
		words:  "heart rate,heartrate,pulse,bpm,herzfrequenz,puls",
		reason: "by convention for heart rates", unit: "bpm", spans: []span{{"0", "250"}},
	},
	{
		words: "systolic,sbp,systolisch", unit: "mmHg",
		reason: "by convention for blood pressure",
		spans:  []span{{"0", "300"}},
	},
	{
		words: "diastolic,dbp,diastolisch", unit: "mmHg",
		reason: "by convention for blood pressure",
		spans:  []span{{"0", "200"}},
	},
	{
		words:  "children,kids,siblings,dependents,kinder,enfants,hijos,figli,filhos,kinderen",
		reason: "a round range for families", any: true, spans: []span{{"0", "10"}, {"0", "20"}},
	},
	{
		words: "household size,family size,haushaltsgröße", any: true,
		reason: "a round range for families", spans: []span{{"1", "10"}, {"1", "20"}},
	},
	{
		words: "gpa", reason: "by convention for grade points", step: "0.01",
		spans: []span{{"0", "4"}, {"0", "5"}},
	},
	{
		words:  "score,scores,punktzahl,punteggio,puntuación,puntaje,pontuação",
		reason: "a round range for scores", step: "0.1", any: true,
		spans: []span{{"0", "100"}, {"0", "10"}, {"0", "1000"}},
	},
	{
		words: "hourly wage,hourly pay,hourly rate,hourly salary,stundenlohn", step: "0.01",
		reason: "a round range for pay by the hour",
		spans:  perHour, others: []inUnit{{currencies, perHour, ""}},
	},
	{
		words: "monthly income,monthly salary,monthly pay,monthly wage,monatsgehalt," +
			"monatseinkommen,monatslohn",
		reason: "a round range for pay by the month", step: "0.01",
		spans: perMonth, others: []inUnit{{currencies, perMonth, ""}},
	},
	{
		words: "salary,salaries,income,wage,wages,earnings,pay,gehalt,jahresgehalt,einkommen," +
			"jahreseinkommen,bruttoeinkommen,lohn,salaire,revenu,salario,sueldo,ingreso,ingresos," +
			"stipendio,reddito,salário,rendimento,salaris,inkomen,loon",
		reason: "a round range for incomes", step: "0.01",
		spans: perYear, others: []inUnit{{currencies, perYear, ""}},
	},
	{
		words: "price,cost,costs,amount,fare,fee,fees,payment,charge,charges,spend,spending," +
			"expenses,preis,kosten,betrag,prix,coût,cout,montant,precio,coste,costo,importe," +
			"monto,prezzo,importo,preço,preco,custo,prijs,bedrag",
		reason: "a round range for amounts of money", step: "0.01",
		spans: amounts, others: []inUnit{{currencies, amounts, ""}},
	},
}

// Round ranges for amounts of money.
var (
	perHour  = []span{{"0", "100"}, {"0", "200"}, {"0", "500"}}
	perMonth = []span{{"0", "10000"}, {"0", "20000"}, {"0", "50000"}, {"0", "100000"}}
	perYear  = []span{{"0", "100000"}, {"0", "200000"}, {"0", "500000"}, {"0", "1000000"}}
	amounts  = []span{{"0", "100"}, {"0", "1000"}, {"0", "10000"}, {"0", "100000"}}
)

// listing states what categories under a name mean. Lists are written as cells may be; a cell
// counts only where it is written the same way, so there are several.
type listing struct {
	words   string
	first   string // or a first word, followed by others: is_active
	reason  phrase.Key
	lists   [][]string
	lengths []int // or texts with this many bytes
}

const byConvention = phrase.Key("by convention for this name")

var lists = []listing{
	{words: "sex,gender", reason: byConvention, lists: [][]string{
		{"female", "male"}, {"Female", "Male"}, {"F", "M"}, {"f", "m"}, {"0", "1"}, {"1", "2"}}},
	{words: "geschlecht", reason: byConvention, lists: [][]string{
		{"weiblich", "männlich", "divers"}, {"w", "m", "d"}, {"W", "M", "D"}, {"1", "2"}}},
	{words: "sexe", reason: byConvention, lists: [][]string{
		{"femme", "homme"}, {"Femme", "Homme"}, {"F", "H"}, {"F", "M"}, {"1", "2"}}},
	{words: "sexo", reason: byConvention, lists: [][]string{
		{"mujer", "hombre"}, {"Mujer", "Hombre"}, {"feminino", "masculino"},
		{"F", "M"}, {"1", "2"}}},
	{words: "sesso", reason: byConvention, lists: [][]string{
		{"femmina", "maschio"}, {"F", "M"}, {"1", "2"}}},
	{words: "geslacht", reason: byConvention, lists: [][]string{
		{"vrouw", "man"}, {"V", "M"}, {"1", "2"}}},

	{words: "weekday,day of week,dayofweek,dow,day name", reason: "the days of the week",
		lists: [][]string{
			{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
			{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, weekFrom1, weekFrom0}},
	{words: "wochentag", reason: "the days of the week", lists: [][]string{
		{"Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"},
		{"Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"}, weekFrom1, weekFrom0}},
	{words: "jour de la semaine,jour semaine", reason: "the days of the week", lists: [][]string{
		{"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"}, weekFrom1,
		weekFrom0}},
	{words: "día de la semana,dia de la semana", reason: "the days of the week", lists: [][]string{
		{"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"}, weekFrom1,
		weekFrom0}},
	{words: "giorno della settimana", reason: "the days of the week", lists: [][]string{
		{"lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"}, weekFrom1,
		weekFrom0}},
	{words: "dia da semana", reason: "the days of the week", lists: [][]string{
		{"segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"}, weekFrom1,
		weekFrom0}},
	{words: "weekdag", reason: "the days of the week", lists: [][]string{
		{"maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"}, weekFrom1,
		weekFrom0}},

	{words: "month", reason: "the months of the year", lists: [][]string{
		{"January", "February", "March", "April", "May", "June", "July", "August", "September",
			"October", "November", "December"},
		{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}}},
	{words: "monat", reason: "the months of the year", lists: [][]string{
		{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
			"Oktober", "November", "Dezember"}}},
	{words: "mois", reason: "the months of the year", lists: [][]string{
		{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
			"octobre", "novembre", "décembre"}}},
	{words: "mese", reason: "the months of the year", lists: [][]string{
		{"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
			"settembre", "ottobre", "novembre", "dicembre"}}},
	{words: "mês", reason: "the months of the year", lists: [][]string{
		{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro",
			"outubro", "novembro", "dezembro"}}},
	{words: "maand", reason: "the months of the year", lists: [][]string{
		{"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september",
			"oktober", "november", "december"}}},
	{words: "quarter,quartal", reason: "by convention for quarters",
		lists: [][]string{{"Q1", "Q2", "Q3", "Q4"}}},

	{words: "blood group,blood type,blutgruppe,groupe sanguin", reason: byConvention,
		lists: [][]string{{"0+", "0-", "A+", "A-", "B+", "B-", "AB+", "AB-"},
			{"O+", "O-", "A+", "A-", "B+", "B-", "AB+", "AB-"}, {"O", "A", "B", "AB"}}},
	{words: "smoker,smoking,consent,deceased,vaccinated,yn,flag", first: "is",
		reason: "a question of yes or no", lists: yesNo},
	{first: "has", reason: "a question of yes or no", lists: yesNo},
	{first: "was", reason: "a question of yes or no", lists: yesNo},
	{words: "raucher,einwilligung", first: "ist", reason: "a question of yes or no",
		lists: [][]string{{"nein", "ja"}, {"Nein", "Ja"}, {"0", "1"}}},
	{words: "fumeur", reason: "a question of yes or no",
		lists: [][]string{{"non", "oui"}, {"Non", "Oui"}, {"0", "1"}}},
	{words: "fumador", reason: "a question of yes or no",
		lists: [][]string{{"no", "sí"}, {"No", "Sí"}, {"não", "sim"}, {"0", "1"}}},
	{words: "fumatore", reason: "a question of yes or no",
		lists: [][]string{{"no", "sì"}, {"No", "Sì"}, {"0", "1"}}},
	{words: "roker", reason: "a question of yes or no",
		lists: [][]string{{"nee", "ja"}, {"Nee", "Ja"}, {"0", "1"}}},

	{words: "zip,zipcode,zip code", reason: "codes of five digits, or nine with a hyphen",
		lengths: []int{5, 10}},
	{words: "plz,postleitzahl,code postal,código postal,codigo postal",
		reason: "codes of five digits", lengths: []int{5}},
	{words: "postcode,postal code", reason: "codes of up to eight letters and digits",
		lengths: []int{8}},
	{words: "cep", reason: "codes of eight digits, with a hyphen nine", lengths: []int{9}},
}

var (
	weekFrom1 = []string{"1", "2", "3", "4", "5", "6", "7"}
	weekFrom0 = []string{"0", "1", "2", "3", "4", "5", "6"}
	yesNo     = [][]string{{"no", "yes"}, {"No", "Yes"}, {"N", "Y"}, {"false", "true"},
		{"False", "True"}, {"0", "1"}}
)
